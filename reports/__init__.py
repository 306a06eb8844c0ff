"""Reports: how results are shown."""
