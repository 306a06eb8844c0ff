"""Where games and strategies are found: entry points of installed packages, and plug-in files."""

import hashlib
import importlib.util
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType

from simcore.contract import Game, Strategy
from simcore.errors import UsageError, unknown

_plugged: dict[str, tuple[Game | Strategy, ...]] = {}
_plugged_games: dict[str, Game] = {}
_contents: dict[str, str] = {}  # of the plug-ins, when they were loaded


def game_names() -> list[str]:
    """The names of all games: those installed, and those of plug-ins."""
    return sorted({entry.name for entry in entry_points(group="simcore.games")} | set(_plugged_games))


def find_game(name: str) -> Game:
    """The game of this name.

    Raises UsageError when there is none.
    """
    found = _plugged_games.get(name) or _installed_game(name)
    if found is None:
        raise unknown("there is no game", name, game_names())
    return found


@cache
def _installed_game(name: str) -> Game | None:
    for entry in entry_points(group="simcore.games"):
        if entry.name == name:
            found: Game = entry.load()
            return found
    return None


def strategies(game: Game) -> dict[str, Strategy]:
    """All strategies for a game by name: those installed, then those of plug-ins."""
    known = dict(_installed(game.name))
    for found in _plugged.values():
        known.update({e.name: e for e in found if isinstance(e, Strategy) and e.game == game.name})
    return known


@cache
def _installed(game: str) -> dict[str, Strategy]:
    modules = [entry.load() for entry in entry_points(group="simcore.strategies") if entry.name == game]
    return {entry.name: entry for module in modules for entry in _strategies_in(module)}


def _strategies_in(module: ModuleType) -> list[Strategy]:
    """The strategies that a module defines (not those that it imports)."""
    return [
        value.strategy
        for value in vars(module).values()
        if isinstance(getattr(value, "strategy", None), Strategy) and value.py_module == module.__name__
    ]


def load_plugin(path: str) -> None:
    """Makes the games and strategies of a Python file available by name: all of them, or none when one is refused.

    Raises UsageError when the file is missing, fails, defines none, or takes a name that is in use.
    """
    file = Path(path).resolve()
    if not file.is_file():
        raise UsageError(f"--plugin {path}: there is no such file")
    content = _content(file)
    module = _execute(path, file)
    games, found = _games_in(module), _strategies_in(module)
    if not found and not games:
        raise UsageError(f"--plugin {path}: it defines no strategy and no game; put @strategy(...) above a function")
    for game in games:
        if _installed_game(game.name) is not None:
            raise UsageError(f'--plugin {path}: "{game.name}" is the name of a built-in game; choose another')
        _check_records(path, game)
    known = {*game_names(), *(game.name for game in games)}
    for entry in found:
        if entry.game not in known:
            raise unknown(f"--plugin {path}: there is no game", entry.game, sorted(known))
        if entry.name in _installed(entry.game):
            raise UsageError(f'--plugin {path}: "{entry.name}" is the name of a built-in strategy; choose another')
    _plugged[str(file)] = (*games, *found)
    _plugged_games.update({game.name: game for game in games})
    _contents[str(file)] = content


def ensure_plugin(path: str) -> None:
    """Loads a plug-in file, unless it is loaded as it is: then those who have its strategies keep them.

    Raises UsageError as `load_plugin` does.
    """
    file = Path(path).resolve()
    if str(file) not in _contents or _contents[str(file)] != _content(file):
        load_plugin(path)


def _content(file: Path) -> str:
    """A fingerprint of a file; that of a file which cannot be read is told by whoever executes it."""
    with suppress(OSError):
        return hashlib.sha256(file.read_bytes()).hexdigest()
    return ""


def _games_in(module: ModuleType) -> list[Game]:
    """The games that a plug-in brings (not an installed one that it imports)."""
    values = [value for value in vars(module).values() if isinstance(value, Game)]
    return [game for game in values if _installed_game(game.name) is not game]


def _check_records(path: str, game: Game) -> None:
    """Refuses a game whose records cannot be made."""
    try:
        game.table(game.least_players, game.rules())
        game.hidden(game.least_players)
        game.outcome(game.least_players)
    except Exception as error:  # whatever a stranger's file raises is told in one sentence
        raise UsageError(f"--plugin {path}: {type(error).__name__}: {error}") from error


def plugin_path(entry: Game | Strategy) -> str | None:
    """The plug-in file that a game or a strategy came from, or None for an installed one."""
    if isinstance(entry, Game):  # by name, as a watched game is made from the one in the file
        return next((path for path, found in _plugged.items() if entry.name in [g.name for g in _games(found)]), None)
    return next((path for path, found in _plugged.items() if entry in found), None)


def _games(found: tuple[Game | Strategy, ...]) -> list[Game]:
    return [entry for entry in found if isinstance(entry, Game)]


def _execute(path: str, file: Path) -> ModuleType:
    name = f"simcore_plugin_{hashlib.sha256(str(file).encode()).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise UsageError(f"--plugin {path}: it is not a Python file (its name must end in .py)")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:  # whatever a stranger's file raises is told in one sentence
        raise UsageError(f"--plugin {path}: {_place(error, file)}{type(error).__name__}: {error}") from error
    finally:
        sys.path.remove(str(file.parent))
    return module


def _place(error: BaseException, file: Path) -> str:
    line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else None
    trace = error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename) == file:
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"line {line}: " if line else ""
