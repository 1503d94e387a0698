"""What the page of a rule says of its fixes (none, safe, unsafe, or mixed) is true of every fix of that rule."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from rule_cases import Case, cases
from rule_cases.texts import symbol

from fuzz.mutate import mutate
from irlint import engine
from irlint.findings import Fixable, Safety
from irlint.formats.base import all_formats
from irlint.formats.samples import file_name
from irlint.rules import registry
from irlint.rules.base import Rule
from irlint.settings import Settings

RULES = registry.all_rules()
EXAMPLES = [example for rule in RULES.values() for example in (*cases(rule).invalid, *cases(rule).valid)]
ALLOWED: dict[Fixable | None, set[Safety]] = {
    None: set(),
    "safe": {"safe"},
    "unsafe": {"unsafe"},
    "mixed": {"safe", "unsafe"},
}
MUTANTS = 1000  # of each format's examples
LARGEST = 30_000  # bytes of a file of the corpus that is looked at
Grades = dict[str, dict[Safety, str]]  # by code and grade: one of the fixes


def lint(data: bytes, name: str, format_name: str | None = None, example: Case | None = None) -> engine.Result:
    targets = tuple(example.targets.items()) if example is not None else ()
    return engine.lint_bytes(data, name, Settings(pedantic=True, targets=targets), format_name)


def grades(results: Iterable[engine.Result]) -> Grades:
    found: Grades = defaultdict(dict)
    for result in results:
        for finding in result.findings:
            if finding.fix is not None:
                found[finding.code].setdefault(finding.fix.safety, f"{finding.message}: {finding.fix.title}")
    return found


def surprises(found: Grades) -> dict[str, dict[Safety, str]]:
    """The fixes that no page promises."""
    wrong = {
        code: {safety: fix for safety, fix in fixes.items() if safety not in ALLOWED[RULES[code].fixable]}
        for code, fixes in found.items()
    }
    return {code: fixes for code, fixes in wrong.items() if fixes}


def of_format(name: str) -> list[Case]:
    return [example for example in EXAMPLES if example.format.partition(":")[0] == name]


def encoded(example: Case) -> bytes:
    return example.text.encode("utf-8", "surrogateescape")


def mutants(format_name: str) -> Iterator[engine.Result]:
    examples, choose = of_format(format_name), random.Random(format_name)
    texts = [encoded(example) for example in examples]
    for _ in range(MUTANTS):
        example = choose.choice(examples)
        yield lint(mutate(encoded(example), choose, texts), file_name(format_name), example.format, example)


@pytest.fixture(scope="module")
def of_examples(tmp_path_factory: pytest.TempPathFactory) -> Grades:
    return grades(_linted(example, tmp_path_factory) for example in EXAMPLES)


def _linted(example: Case, tmp_path_factory: pytest.TempPathFactory) -> engine.Result:
    """Lint an example with the files next to it."""
    name, format_name = file_name(example.format), example.format or None
    if not example.side_files:  # which fixes may read
        return lint(encoded(example), name, format_name, example)
    path = tmp_path_factory.mktemp("example") / (example.name or name)
    for other, data in example.side_files.items():
        (path.parent / other).parent.mkdir(parents=True, exist_ok=True)
        (path.parent / other).write_bytes(data)
    return engine.lint_bytes(encoded(example), path.name, Settings(pedantic=True), format_name, path)


def test_examples(of_examples: Grades) -> None:
    assert not surprises(of_examples)


@pytest.mark.parametrize("format_name", all_formats())
def test_mutants(format_name: str) -> None:
    assert not surprises(grades(mutants(format_name)))


def test_real_files_and_their_mutants(corpus: Path) -> None:
    """Each file as it is and with one change, as far as files are small."""
    choose = random.Random("corpus")
    texts = [
        (path.name, path.read_bytes())
        for path in sorted(corpus.rglob("*"))
        if path.suffix in (".json", ".xml", ".txt") and path.stat().st_size <= LARGEST
    ]
    assert not surprises(
        grades(lint(each, name) for name, data in texts for each in (data, mutate(data, choose, [data])))
    )


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.fixable], ids=lambda rule: rule.code)
def test_every_grade_that_a_page_promises_occurs(rule: type[Rule], of_examples: Grades) -> None:
    assert set(of_examples.get(rule.code, ())) == ALLOWED[rule.fixable]


@pytest.mark.parametrize(("slope", "better"), [("1e999", None), ("1e999f", None), ("1e-400", "0.0")])
def test_a_number_beyond_its_type_is_not_repaired_as_if_it_were_certain(slope: str, better: str | None) -> None:
    operator = ('"op": "Activation"', '"op": "LeakyReLU"')
    text = symbol(operator, ('"act_type": "relu"', f'"act_type": "leaky", "slope": "{slope}"'))
    (finding,) = engine.lint(text, "a-symbol.json").findings
    assert finding.code == "A006"
    assert (finding.fix and (finding.fix.title, finding.fix.safety)) == (
        better and (f"Set `slope` to `{better}`", "unsafe")
    )
