"""The shape that every format has, built-in or plugged in."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections import abc
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from irlint.findings import Candidate, Finding, Problem
from irlint.records import NamedTuple
from irlint.rules.base import Model
from irlint.suppressions import Suppression, of_marks
from irlint.text.base import Document, Place
from irlint.tools import installed

if TYPE_CHECKING:
    from irlint.causes import Causes
    from irlint.checks.grammar import Grammar
    from irlint.dryrun.mapping import Mapping
    from irlint.formats.identity import Identity
    from irlint.formats.navigation import Navigation
    from irlint.formats.remarks import Remarks
    from irlint.formats.runtime import Runtime
    from irlint.settings.ignores import Ignores
    from irlint.targets.base import AgainstTarget, ComparedTarget

HEAD_SIZE = 1 << 16
PLAIN = ("json", "xml")  # formats of files that are not models: only schemas of a configuration describe them

Options = abc.Mapping[str, Any]


class Dialect(NamedTuple):
    name: str
    title: str
    schema: str | None = None  # file in schemas/


class Head(NamedTuple):
    """What detection is shown: the file's name and its beginning (all of it where `whole`)."""

    name: str
    text: str
    whole: bool = True

    def is_prose(self, extension: str, beginnings: tuple[str, ...]) -> bool:
        """Whether a file of another extension begins unlike the format: text that only quotes from a model."""
        suffix = Path(self.name).suffix.lower()
        return suffix not in ("", extension) and not self.text.lstrip("\ufeff \t\r\n").startswith(beginnings)


CERTAIN, LIKELY, POSSIBLE, FOREIGN = 3, 2, 1, 0


class Recognition(NamedTuple):
    """score 3: certain; 2: likely; 1: possible, read on; 0: certainly not, and `why` says what it is instead.

    The score is about the format, not about the dialect.
    """

    score: int
    why: str
    dialect: str | None = None

    @property
    def certain(self) -> bool:
        return self.score >= CERTAIN


def is_certain(seen: Recognition, judged: Recognition | None, is_broken: bool) -> bool:
    """Return whether a file is of a format beyond doubt: fixes are offered in no other file.

    `seen` is what its beginning shows and `judged` what its content does, which decides. Of a file with broken syntax the
    content is a guess: there it need not show all that the beginning promised.
    """
    return judged is not None and (judged.certain or (is_broken and seen.certain))


class Format(ABC):
    """One family of model files. An instance keeps no state between files."""

    name: str
    title: str
    dialects: tuple[Dialect, ...]
    extensions: tuple[str, ...] = ()
    claimed: tuple[str, ...] = ()  # extensions that only models have: other files with such a name are broken
    side_extensions: tuple[str, ...] = ()  # of files that belong to a model: weights
    shown = 9  # its place where formats are listed for people: those of most users first
    main_names: tuple[str, ...] = ()  # what exporters call the model of a folder with several
    takes_weights = True  # False: its models hold their weights, or name the files of them
    comment = ""  # what begins a comment up to the end of its line, if findings are suppressed by such comments
    targets: tuple[str, ...] | None = None  # that --target may name; None: the format
    packages: abc.Mapping[
        str, str
    ] = {}  # and images that bring a target, perhaps with what follows its release: `,provider=cuda`
    images: abc.Mapping[str, str] = {}  # that bring a target in a release that schemas/containers/images.json has
    has_extensions: bool = False  # of operations that libraries bring; `extensions` of the configuration declares them
    # The groups of rules that a step may tell of where nothing has been found before it, None: any. A lint that wants no rule of
    # these leaves the step out.
    reading_tells: str | None = None  # `read` and `checks`
    types_tell: str | None = None  # the dry run, with `late_checks`; none that `reading_tells` lacks
    runtime_limits: Collection[
        str
    ] = ()  # codes of errors that no run depends on: what only the format's own runtime, or only its checker, refuses
    edges: tuple[str, ...] = ()  # codes of its own errors after which it is unknown which results a node uses
    open_edges: tuple[str, ...] = ()  # codes of errors about edges that leave nothing unknown but one input
    taken: frozenset[str] = (
        frozenset()
    )  # codes of errors with which a runtime takes the file: only what is evident is proven
    relint_cost: float = 1.0  # of a character in a trial: where it is 1, 100,000 of them take about 5 ms
    names_calls: bool = True  # False: what a call is known by is its place in the file
    numbers_ends: bool = False  # converters to it call inputs and outputs by their numbers
    holds_metadata = False  # programs write into its models what they read back: `metadata` is compared with the model
    is_companion = False  # its files say something about models beside them
    outer = ""  # the operator of nodes that stand for values of the graph around theirs
    naming: tuple[str, ...] = ("name",)  # keys by whose values entries of lists are known, the first that they have
    # What entries of the file that are in no graph are for, by their last label that has a role: "link" (numbers and names that connect
    # nodes), "name" (of a value), "type" (that is declared), "data" (of weights) or "trace" (where nodes come from); others are shown
    # where they change.
    roles: abc.Mapping[str, str] = {}
    declaring: abc.Mapping[
        str, str
    ] = {}  # attributes of inputs and constants that hold their "dtype" and their "shape"
    provenance: frozenset[str] = (
        frozenset()
    )  # sections and keys of `metadata`, in small letters, that no program depends on
    own_versions: frozenset[str] = (
        frozenset()
    )  # rows of `facts` with a version of the file itself, which older runtimes refuse
    shown_lines: abc.Mapping[str, str] = {}  # what a report says once of the lines of files of a dialect
    names_inputs_by_value: bool = False  # True: a program knows an input by its value's name, not by its node's

    @abstractmethod
    def recognize(self, head: Head) -> Recognition | None:
        """Whether a file that begins like this is one of ours; must cost almost nothing on a foreign file."""

    @abstractmethod
    def open(self, text: str, name: str) -> Document:
        """Parse; what the syntax is missing goes into the document's troubles, never into an exception."""

    def open_bytes(self, data: bytes, name: str) -> Document | None:
        """Return the document of a file that is not text; None if it is none of the format's. Called for every file: cheap on foreign
        ones.
        """
        return None

    @abstractmethod
    def dialect_of(self, document: Document) -> Recognition | None:
        """Return the dialect by content, the weight of the evidence for the format, and why; None if it is not one of ours."""

    def weights_trouble(self) -> str | None:
        """Return why a file of weights that the user gives would not be read; None if it is."""
        return None if self.takes_weights else f"{self.title}s hold their weights, or name the files that do"

    def state(self) -> Any:
        """Return what its reader and checks are to keep of a file beside the graph, empty: a new `Model.state`."""
        return None

    @abstractmethod
    def read(self, model: Model) -> Iterator[Problem]:
        """Fill model.graph and model.operators; yield what is wrong in the structure."""

    def checks(self, model: Model) -> Iterator[Problem]:
        """Passes of the format that report several rules in one walk: by default all that its operator table shows."""
        if model.operators is None:
            return iter(())
        from irlint.checks.operators import problems

        return problems(model, self.grammar())

    def grammar(self) -> Grammar:
        """How these checks are to speak of the format's attributes, references and fixes."""
        from irlint.checks.grammar import PLAIN

        return PLAIN

    def dryrun(self, model: Model) -> Mapping | None:
        """How a model that has been read maps to the dry run; None where it does not."""
        return None

    def late_checks(self, model: Model, problems: list[Problem]) -> Iterator[Problem]:
        """Checks that need the problems found so far, or inferred types; the latter are missing if shapes are not requested."""
        return iter(())

    def causes(self, model: Model) -> Causes:
        """Return which problems of a file follow from which others. Asked only if a file has problems."""
        from irlint.causes import Causes
        from irlint.causes.relations import Lookup

        return Causes(Lookup(model.document))

    def compared(self, model: Model) -> Sequence[ComparedTarget]:
        """Return the runtimes whose releases `irlint targets` compares for a model."""
        return ()

    def against(self, model: Model, name: str, release: str) -> AgainstTarget | None:
        """Return what a release refuses of a model; None: the file is linted again with it as its target."""
        return None

    def candidates(self, model: Model, finding: Finding) -> Iterator[Candidate]:
        """Changes that might repair an error, the most likely first; the search for repairs tries them."""
        return iter(())

    def suppressions(self, document: Document) -> Iterator[Suppression]:
        """What the file says is not to be reported. Called for every file: cheap if there are none."""
        return of_marks(document, self.comment) if self.comment else iter(())

    def ignores(self, dialect: str) -> Ignores | None:
        """Return how suppressions are written; None if the dialect has none."""
        return None

    def is_target(self, version: str) -> bool:
        """Whether --target can mean one of the format's runtimes by this."""
        return True

    def target_trouble(self, name: str, version: str) -> str | None:
        """Why `--target NAME=VERSION` cannot be meant; None if it can. `name` is the format's or a dialect's."""
        return None if self.is_target(version) else f"{name} has no version {version!r}"

    def facts(self, model: Model) -> list[tuple[str, str]]:
        """What a summary says of a model beyond its figures: pairs of a label and a text."""
        return []

    def versions(self, model: Model) -> list[tuple[str, str]]:
        """Return the versions of operators that the file declares as a whole: a word and the version each."""
        return []

    def idle_versions(self, model: Model) -> set[str]:
        """Return the words of those versions that no operator is of, and that all runtimes accept."""
        return set()

    def metadata(self, model: Model) -> dict[str, dict[str, str]]:
        """Return what the file says of its origin: sections of keys and values."""
        return {}

    def metadata_place(self, model: Model, section: str, key: str, *, is_key: bool = False) -> Place | None:
        """Return the place of an entry of `metadata`, or of its key; with no section also of one of `facts` and `versions`, and of the
        `name` of the graph; in the section `functions` of the function with a number. None where that is not known."""
        return None

    def defaults(self, model: Model) -> list[str]:
        """Return the names of inputs for which the file has values: a program may give others, and need not."""
        return []

    def side_files(self, path: Path, options: Options | None = None) -> list[Path]:
        """Return files next to the model whose content affects findings (weights); cache keys include them.

        `options` are the format's own section of the configuration.
        """
        return []

    def owners(self, path: Path) -> list[Path]:
        """Where the models may be that a file with one of `side_extensions` belongs to."""
        return []

    def navigation(self) -> Navigation:
        """What editors ask; a format of its own folder has a module `navigation` beside it."""
        if (own := self._own("navigation")) is None:
            from irlint.formats.navigation import DEFAULT

            return DEFAULT
        found: Navigation = own.NAVIGATION
        return found

    def identity(self) -> Identity:
        """Return what tells its models apart; a format of its own folder may have a module `identity` beside it."""
        if (own := self._own("identity")) is None:
            from irlint.formats.identity import DEFAULT

            return DEFAULT
        found: Identity = own.IDENTITY
        return found

    def remarks(self, model: Model) -> Remarks:
        """Return what a model says of its nodes and values beside what they compute; a format of its own folder may have a module
        `remarks` beside it."""
        from irlint.formats.remarks import Remarks

        own = self._own("remarks")
        found: Remarks = (Remarks if own is None else own.REMARKS)(model)
        return found

    def runtime(self) -> Runtime | None:
        """Return the program that runs its models, where it is installed; a format of its own folder may have a module `runtime`."""
        own = self._own("runtime")
        return None if own is None else own.RUNTIME

    def _own(self, what: str) -> Any:
        """Return a module beside the format; None if it has no such module."""
        return _module(f"{type(self).__module__.removesuffix('.format')}.{what}")


@cache
def _module(name: str) -> Any:
    package = sys.modules.get(name.rpartition(".")[0])
    if not hasattr(package, "__path__"):  # a format in a module of its own has no others beside it
        return None
    return None if find_spec(name) is None else import_module(name)


@cache
def all_formats() -> dict[str, Format]:
    """Every format by name: the folders beside this file, then plug-ins."""
    found: dict[str, Format] = {}
    for folder in sorted(Path(__file__).parent.iterdir()):
        if (folder / "__init__.py").exists():
            found[folder.name] = import_module(f"irlint.formats.{folder.name}").FORMAT
    for name, format_ in installed.entry_points("irlint.formats"):
        if not isinstance(format_, Format):
            raise installed.PluginError(
                f"the plug-in {name!r} is no format: that is an instance of a subclass of Format"
            )
        found[name] = format_
    return found


@cache
def shown_order() -> dict[str, Format]:
    """Return every format by name, in the order in which people see them."""
    return dict(sorted(all_formats().items(), key=lambda item: item[1].shown))


@cache
def extensions() -> frozenset[str]:
    """Extensions of files that a folder walk looks into."""
    return frozenset(extension for format_ in all_formats().values() for extension in format_.extensions)


def is_claimed(name: str) -> bool:
    """Return whether the name of a file says that it is a model."""
    return name.lower().endswith(_claimed())


@cache
def _claimed() -> tuple[str, ...]:
    return tuple(extension for format_ in all_formats().values() for extension in format_.claimed)


@cache
def binary_extensions() -> frozenset[str]:
    """Extensions of formats that open files that are not text."""
    formats = [format_ for format_ in all_formats().values() if type(format_).open_bytes is not Format.open_bytes]
    return frozenset(extension for format_ in formats for extension in format_.extensions)


def models_of(path: Path) -> list[Path]:
    """The models whose side file a file is; none if it is no such file."""
    suffix = path.suffix.lower()
    return [
        owner
        for format_ in all_formats().values()
        if suffix in format_.side_extensions
        for owner in format_.owners(path)
        if owner.is_file() and path in format_.side_files(owner)
    ]


def by_name(name: str) -> Format | None:
    """Return a format, also one of files that are not models."""
    found: Format | None = all_formats().get(name)
    return import_module("irlint.formats.plain").FORMATS[name] if found is None and name in PLAIN else found
