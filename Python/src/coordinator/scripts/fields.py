"""The fields of forms, as scripts declare them."""

from __future__ import annotations

from typing import Any

from coordinator import forms


class Fields:
    """The fields of forms. A title that is left out is made from the name."""

    @staticmethod
    def secret(name: str, title: str = "", **options: Any) -> forms.Field:
        """Returns a field for a secret, whose bytes only the next step gets."""
        return forms.secret(name, title or _title(name), **options)

    @staticmethod
    def text(name: str, title: str = "", **options: Any) -> forms.Field:
        """Returns a field for a string."""
        return forms.text(name, title or _title(name), **options)

    @staticmethod
    def integer(name: str, title: str = "", **options: Any) -> forms.Field:
        """Returns a field for an integer."""
        return forms.integer(name, title or _title(name), **options)

    @staticmethod
    def number(name: str, title: str = "", **options: Any) -> forms.Field:
        """Returns a field for a number."""
        return forms.number(name, title or _title(name), **options)

    @staticmethod
    def boolean(name: str, title: str = "", **options: Any) -> forms.Field:
        """Returns a field for a Boolean."""
        return forms.boolean(name, title or _title(name), **options)

    @staticmethod
    def choice(name: str, title: str = "", *, of: Any, **options: Any) -> forms.Field:
        """Returns a field for one of several choices."""
        return forms.choice(name, title or _title(name), of, **options)

    @staticmethod
    def choices(name: str, title: str = "", *, of: Any, **options: Any) -> forms.Field:
        """Returns a field for any number of choices."""
        return forms.choices(name, title or _title(name), of, **options)


def _title(name: str) -> str:
    return name.replace("_", " ").replace("-", " ").capitalize()
