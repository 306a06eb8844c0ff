"""The balance report: what results files say, graded, put into words, and laid out as one page."""
