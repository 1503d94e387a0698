"""Numbers with their nouns."""


def count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {plural or noun + 's'}"
