"""What is known after the dry run: one cause for each mistake of shapes, and declared types that are not the real ones."""

from __future__ import annotations

from dataclasses import replace

from irlint.findings import Problem, Severity
from irlint.formats.openvino.blame import Blame, Culprit
from irlint.formats.openvino.bodies import sliced_problems
from irlint.formats.openvino.declared import input_problems, refined
from irlint.formats.openvino.reader import Section
from irlint.formats.openvino.settle import Layers, is_error
from irlint.rules.base import Model
from irlint.text.base import Place
from irlint.text.xml import XmlDocument

Key = tuple[int, int]  # id() of a section, index of a layer in it
_DECLARED = ("D006", "D007")


def with_types(model: Model, sections: list[Section], layers: Layers, problems: list[Problem]) -> list[Problem]:
    document = model.document
    assert isinstance(document, XmlDocument)
    blame = Blame(model.extra["types"])
    problems = [*sliced_problems(sections, blame), *problems]
    verdict = _Verdict(document, layers, blame, problems)
    settled = verdict.settled()
    for section in sections:
        told = {index for which, index in verdict.told if which == id(section)}
        settled += input_problems(document, section, blame, told)
    return settled


class _Verdict:
    def __init__(self, document: XmlDocument, layers: Layers, blame: Blame, problems: list[Problem]) -> None:
        self.document = document
        self.layers = layers
        self.blame = blame
        self.problems = problems
        self.told: set[Key] = set()  # layers of which an error speaks
        self.sections: dict[Key, Section] = {}
        self.suspects: dict[Key, list[int]] = {}  # problems of attributes that change what an operation does
        self.mapped: set[Key] = set()  # layers whose port maps have errors
        for k, problem in enumerate(problems):
            key = self._key(problem)
            if key is None:
                continue
            if problem.rule.code == "R304" and is_error(problem):
                self.mapped.add(key)
            elif _is_suspect(problem):
                self.suspects.setdefault(key, []).append(k)

    def _key(self, problem: Problem) -> Key | None:
        found = self.layers.find(problem.at.path) if isinstance(problem.at, Place) else None
        if found is None:
            return None
        key = (id(found[0]), found[1])
        self.sections[key] = found[0]
        return key

    def settled(self) -> list[Problem]:
        raised: dict[int, Problem] = {}
        kept: list[Problem | None] = []
        culprits: dict[Place, int] = {}
        for problem in self.problems:
            key = self._key(problem)
            if key is None or problem.rule.code[0] != "D":
                kept.append(problem)
                continue
            section, index = self.sections[key], key[1]
            if problem.rule.code in _DECLARED:
                kept.append(refined(self.document, section, index, problem, self.blame))
                continue
            if not is_error(problem) or key in self.mapped:
                kept.append(None if key in self.mapped else problem)
                continue
            self.told.add(key)
            culprit = self.blame.culprit(section, index)
            suspect = self._suspect((id(section), culprit.node) if culprit and not culprit.edge else key, problem)
            if suspect is not None:
                raised[suspect] = _raised(self.problems[suspect], problem)
                kept.append(None)
            elif culprit is None:
                kept.append(problem)
            elif culprit.place in culprits:
                kept.append(None)
            else:
                self.told.add((id(section), culprit.node))
                culprits[culprit.place] = len(kept)
                kept.append(_moved(problem, culprit, section, index))
        for k, problem in raised.items():
            kept[k] = problem
        return [problem for problem in kept if problem is not None]

    def _suspect(self, key: Key, problem: Problem) -> int | None:
        """The problem of an attribute from which a mistake of shapes follows."""
        found = self.suspects.get(key, [])
        for k in found:
            at = self.problems[k].at
            if isinstance(at, Place) and isinstance(problem.at, Place) and at[:2] == problem.at[:2]:
                return k
        return found[0] if len(found) == 1 else None


def _is_suspect(problem: Problem) -> bool:
    if problem.rule.code[0] != "A" or problem.severity != Severity.WARNING:
        return False
    return problem.rule.code not in ("A001", "A009") or "did you mean" in problem.message


def _raised(problem: Problem, consequence: Problem) -> Problem:
    _, _, what = consequence.message.partition(": ")
    return replace(
        problem, severity=Severity.ERROR, message=f"{problem.message}; so it fails: {what or consequence.message}"
    )


def _moved(problem: Problem, culprit: Culprit, section: Section, index: int) -> Problem:
    where = (problem.message, section.graph.place(index, "node"))
    return replace(
        problem,
        at=culprit.place,
        message=f"{culprit.words}; so it fails: {problem.message}",
        related=[where, *problem.related],
    )
