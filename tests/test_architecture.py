"""The house: which package may import which, and how large its rooms may be. Read from the source, nothing is run."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HOUSE = ("simcore", "strategies", "reports", "experiments")
MAY_IMPORT = {
    "simcore": {"simcore"},
    "strategies": {"simcore", "strategies"},
    "reports": {"simcore", "reports"},
    "experiments": set(HOUSE),
}
DOORS = {"simcore.pytest_plugin": {"simcore", "reports"}}  # a way in of its own, as the command line is
LONGEST_MODULE, LONGEST_FUNCTION = 400, 50

MODULES = sorted(path for package in HOUSE for path in (ROOT / package).rglob("*.py"))
every_module = pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))


def name_of(path):
    """simcore/games/doigt.py is simcore.games.doigt; a package's __init__.py is the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_for_types_only(node):
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def nodes(tree, inside_functions):
    """All nodes of a module; without its functions' bodies, those that run when it is imported."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) and not inside_functions:
            continue
        if is_for_types_only(node) and not inside_functions:
            continue
        yield node
        yield from nodes(node, inside_functions)


def imports(tree, module, inside_functions=True):
    """The full names that a module imports; `from a import b` gives a and a.b."""
    found = set()
    for node in nodes(tree, inside_functions):
        if isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = module.split(".")[: -node.level] if node.level else []
            base = ".".join([*package, *filter(None, [node.module])])
            found.update([base, *(f"{base}.{name.name}" for name in node.names)])
    return found


def named_modules(tree):
    """Modules of the house that are named in text, as import_module takes them."""
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return {
        word for word in words if word.split(".")[0] in HOUSE and "." in word and word.replace(".", "").isidentifier()
    }


def packages(names):
    return {name.split(".")[0] for name in names} & set(HOUSE)


def test_every_import_is_seen():
    """The reader itself: plain, from, relative, inside a function, and not for types only."""
    lines = ["import strategies.doigt", "from reports import a", "from . import b", "if TYPE_CHECKING:", "    import c"]
    tree = ast.parse("\n".join([*lines, "def f():", "    import experiments"]))
    assert packages(imports(tree, "simcore.x")) == set(HOUSE)
    at_start = imports(tree, "simcore.x", inside_functions=False)
    assert at_start == {"strategies.doigt", "reports", "reports.a", "simcore", "simcore.b"}
    assert named_modules(ast.parse("import_module('reports.tables')")) == {"reports.tables"}


def test_all_four_packages_are_read():
    assert {path.relative_to(ROOT).parts[0] for path in MODULES} == set(HOUSE)
    assert len([path for path in MODULES if path.parts[-2] == "simcore"]) > 10


@every_module
def test_no_arrow_runs_back_up(path):
    tree, package = ast.parse(path.read_text()), path.relative_to(ROOT).parts[0]
    used = packages(imports(tree, name_of(path)) | named_modules(tree))
    assert used <= DOORS.get(name_of(path), MAY_IMPORT[package])


def test_modules_of_the_core_do_not_import_each_other_in_a_circle():
    """Imports inside functions and for types only are made later, and do not count."""
    trees = {name_of(path): ast.parse(path.read_text()) for path in MODULES if path.is_relative_to(ROOT / "simcore")}
    arrows = {name: (imports(tree, name, inside_functions=False) & set(trees)) - {name} for name, tree in trees.items()}
    assert sum(len(targets) for targets in arrows.values()) > 20
    assert circle(arrows) == []


def circle(arrows):
    """The modules that are left when all those whose imports are gone have been taken away, again and again."""
    left = {name: targets - {name.rpartition(".")[0]} for name, targets in arrows.items()}
    while True:
        done = {name for name, targets in left.items() if not targets & set(left)}
        if not done:
            return sorted(left)
        left = {name: targets for name, targets in left.items() if name not in done}


def test_a_circle_is_seen():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["a", "b", "c"]
    assert circle({"a": {"b"}, "b": {"c"}, "c": set()}) == []


@every_module
def test_every_module_opens_with_a_sentence(path):
    assert (ast.get_docstring(ast.parse(path.read_text())) or "").strip()


@every_module
def test_no_module_is_longer_than_400_lines(path):
    assert len(path.read_text().splitlines()) <= LONGEST_MODULE


def own_lines(function):
    """Lines of a function without those of the functions written inside it."""
    inner = [node for node in ast.walk(function) if isinstance(node, ast.FunctionDef) and node is not function]
    nested = {line for node in inner for line in range(node.lineno, node.end_lineno + 1)}
    return len(set(range(function.lineno, function.end_lineno + 1)) - nested)


@every_module
def test_no_function_is_longer_than_50_lines(path):
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    assert {f.name: own_lines(f) for f in functions if own_lines(f) > LONGEST_FUNCTION} == {}


def test_lines_of_inner_functions_are_their_own():
    outer = ast.parse("def f():\n    a = 1\n    def g():\n        return 1\n    return g\n").body[0]
    assert own_lines(outer) == 3
