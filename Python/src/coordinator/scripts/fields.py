"""The fields of forms, as scripts declare them: the kinds and the options are those of `ask form`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, TypedDict, Unpack

from coordinator import codec, forms
from coordinator.codec import JSON
from coordinator.forms import Bounds, Field, FormError
from coordinator.scripts.misuse import checked, notice

Length = int | tuple[int | None, int | None]


class FieldOptions(TypedDict, total=False):
    """What every field takes."""

    optional: bool
    value: Any
    default: Any
    help_text: str
    example: Any
    message: str
    unit: str
    purpose: str
    shown_if: Mapping[str, Any]


class TextOptions(FieldOptions, total=False):
    """The options of fields for texts."""

    length: Length
    pattern: str
    same_as: str


class PlainTextOptions(TextOptions, total=False):
    """The options of `ui.text`."""

    format: str
    multiline: bool


class SecretOptions(TypedDict, total=False):
    """The options of `ui.secret`."""

    optional: bool
    help_text: str
    message: str
    purpose: str
    shown_if: Mapping[str, Any]
    length: Length
    pattern: str
    revealable: bool
    same_as: str


class NumberOptions(FieldOptions, total=False):
    """The options of fields for numbers."""

    range: Bounds


class ChoiceOptions(FieldOptions, total=False):
    """The options of `ui.choice`. `option` and `of` are the choices: titles by value, an enum, or a list of values."""

    option: Any
    of: Any


class SeveralOptions(ChoiceOptions, total=False):
    """The options of `ui.several`."""

    count: Length


class TextsOptions(TextOptions, total=False):
    """The options of `ui.texts`."""

    count: Length


class NumbersOptions(NumberOptions, total=False):
    """The options of `ui.integers` and `ui.numbers`."""

    count: Length


class Fields:
    """The fields of forms. A title that is left out is made from the name."""

    @staticmethod
    @checked(SecretOptions)
    def secret(name: str, title: str = "", /, **options: Unpack[SecretOptions]) -> Field:
        """Returns a field for a secret, whose bytes only the next step gets."""
        return _field(name, title, {"type": "string", "writeOnly": True}, options)

    @staticmethod
    @checked(PlainTextOptions)
    def text(name: str, title: str = "", /, **options: Unpack[PlainTextOptions]) -> Field:
        """Returns a field for a string."""
        return _field(name, title, {"type": "string"}, options)

    @staticmethod
    @checked(TextOptions)
    def multiline(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for a string that may have several lines."""
        return _field(name, title, {"type": "string", "x-multiline": True}, options)

    @staticmethod
    @checked(NumberOptions)
    def integer(name: str, title: str = "", /, **options: Unpack[NumberOptions]) -> Field:
        """Returns a field for an integer."""
        return _field(name, title, {"type": "integer"}, options)

    @staticmethod
    @checked(NumberOptions)
    def number(name: str, title: str = "", /, **options: Unpack[NumberOptions]) -> Field:
        """Returns a field for a number."""
        return _field(name, title, {"type": "number"}, options)

    @staticmethod
    @checked(FieldOptions)
    def flag(name: str, title: str = "", /, **options: Unpack[FieldOptions]) -> Field:
        """Returns a field for a Boolean."""
        return _field(name, title, {"type": "boolean"}, options)

    boolean = flag

    @staticmethod
    @checked(ChoiceOptions)
    def choice(name: str, title: str = "", /, **options: Unpack[ChoiceOptions]) -> Field:
        """Returns a field for one of several choices."""
        return _field(name, title, _choices("choice", name, options), options)

    @staticmethod
    @checked(SeveralOptions)
    def several(name: str, title: str = "", /, **options: Unpack[SeveralOptions]) -> Field:
        """Returns a field for any number of choices, each at most once."""
        return _field(name, title, _listed(_choices("several", name, options), uniqueItems=True), options)

    choices = several

    @staticmethod
    @checked(TextsOptions)
    def texts(name: str, title: str = "", /, **options: Unpack[TextsOptions]) -> Field:
        """Returns a field for a list of strings."""
        return _field(name, title, _listed({"type": "string"}), options)

    @staticmethod
    @checked(NumbersOptions)
    def integers(name: str, title: str = "", /, **options: Unpack[NumbersOptions]) -> Field:
        """Returns a field for a list of integers."""
        return _field(name, title, _listed({"type": "integer"}), options)

    @staticmethod
    @checked(NumbersOptions)
    def numbers(name: str, title: str = "", /, **options: Unpack[NumbersOptions]) -> Field:
        """Returns a field for a list of numbers."""
        return _field(name, title, _listed({"type": "number"}), options)

    @staticmethod
    @checked(TextOptions)
    def date(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for a date, such as 2026-11-27."""
        return text_field(name, title, "date", options)

    @staticmethod
    @checked(TextOptions)
    def time(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for a time of day, such as 17:30:00."""
        return text_field(name, title, "time-local", options)

    @staticmethod
    @checked(TextOptions)
    def date_time(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for a date and a time with a time zone."""
        return text_field(name, title, "date-time", options)

    @staticmethod
    @checked(TextOptions)
    def duration(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for a duration, such as PT5M."""
        return text_field(name, title, "duration", options)

    @staticmethod
    @checked(TextOptions)
    def email(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for an e-mail address."""
        return text_field(name, title, "email", options)

    @staticmethod
    @checked(TextOptions)
    def phone(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for a telephone number."""
        return text_field(name, title, "phone", options)

    @staticmethod
    @checked(TextOptions)
    def host(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for the name of a host."""
        return text_field(name, title, "hostname", options)

    @staticmethod
    @checked(TextOptions)
    def ip(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for an IP address."""
        return text_field(name, title, "ip", options)

    @staticmethod
    @checked(TextOptions)
    def url(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for a URL."""
        return text_field(name, title, "uri", options)

    @staticmethod
    @checked(TextOptions)
    def file(name: str, title: str = "", /, **options: Unpack[TextOptions]) -> Field:
        """Returns a field for the path of a file."""
        return text_field(name, title, "file-path", options)

    @staticmethod
    @checked(FieldOptions)
    def schema(name: str, schema: Mapping[str, JSON], /, **options: Unpack[FieldOptions]) -> Field:
        """Returns a field that JSON Schema describes, as in Docs/forms.md."""
        return _field(name, str(schema.get("title") or ""), schema, options)


def text_field(name: str, title: str, format: str, options: TextOptions) -> Field:
    """Returns a field for a text of a format."""
    return _field(name, title, {"type": "string", "format": format}, options)


def _choices(kind: str, name: str, options: ChoiceOptions) -> dict[str, JSON]:
    given = options.get("option", options.get("of"))
    if given is None or isinstance(given, str) or ("option" in options and "of" in options):
        raise FormError(f'ui.{kind}("{name}") takes its choices as option={{"ID": "Title"}}, not {given!r}')
    schema = forms.one_of(given)
    if not schema["oneOf"]:
        raise FormError(f"ui.{kind}(\"{name}\") has nothing to choose: 'option' is empty")
    return schema


def _listed(items: Mapping[str, JSON], **more: JSON) -> dict[str, JSON]:
    return {"type": "array", "items": items, **more}


# The keywords of JSON Schema for options, in which None is no limit.
_LIMITS = {
    "length": ("minLength", "maxLength"), "range": ("minimum", "maximum"), "count": ("minItems", "maxItems"),
}  # fmt: skip
_KEYWORDS = {
    "help_text": "description", "default": "default", "message": "x-message", "unit": "x-unit", "purpose": "x-purpose",
    "revealable": "x-revealable", "multiline": "x-multiline", "same_as": "x-same-as",
}  # fmt: skip
_PLAIN_TEXTS: tuple[Mapping[str, JSON], ...] = ({"type": "string"}, {"type": "string", "x-multiline": True})
_OF_ENTRIES = {"length": "items", "range": "items", "pattern": "items", "format": "items"}


def _field(name: str, title: str, schema: Mapping[str, JSON], options: Mapping[str, Any]) -> Field:
    if not isinstance(name, str) or not name or not isinstance(title, str):
        raise FormError(f"a field has a name and a title, which are strings, not {name!r} and {title!r}")
    if "pattern" in options and not isinstance(options["pattern"], str | None):
        raise FormError(f"the option 'pattern' of '{name}' is a string, not {options['pattern']!r}")
    whole, entries = {**schema, "title": title or _title(name)}, dict(schema.get("items", {}))
    for option, value in options.items():
        part = entries if option in _OF_ENTRIES and entries else whole
        if option in _LIMITS:
            low, high = _limits(name, option, value)
            part.update({key: one for key, one in zip(_LIMITS[option], (low, high), strict=True) if one is not None})
        elif option in ("pattern", "format") and value is not None:
            part[option] = value
        elif option == "example":
            part["examples"] = [codec.encode(value)]
        elif option in _KEYWORDS and value not in (None, "", False):
            part[_KEYWORDS[option]] = codec.encode(value)
        elif option == "default" and value is False:
            part["default"] = False
    # As in `ask form`: a text that is not optional has a character, unless its length says otherwise.
    if schema in _PLAIN_TEXTS and not ({"minLength", "format"} & {*whole} or options.get("optional")):
        whole["minLength"] = 1
    field = Field(name, {**whole, **({"items": entries} if entries else {})}, not options.get("optional", False))
    if conditions := options.get("shown_if"):
        if not isinstance(conditions, Mapping):
            raise FormError(f"the option 'shown_if' of '{name}' is {{\"FIELD\": VALUE}}, not {conditions!r}")
        field = field.shown_if(**conditions)
    return dataclasses.replace(field, value=_initial(field, options.get("value")))


def _limits(name: str, option: str, value: Any) -> tuple[Any, Any]:
    if value is None:
        return None, None
    low, high = value if isinstance(value, tuple) and len(value) == 2 else (value, value)
    numbers = [one for one in (low, high) if one is not None]
    if not all(isinstance(one, int | float) and not isinstance(one, bool) for one in numbers):
        raise FormError(f"the option '{option}' of '{name}' is (minimum, maximum), such as (1, 64), not {value!r}")
    if len(numbers) == 2 and low > high:
        raise FormError(
            f"the option '{option}' of '{name}' is {value!r} and allows nothing: the minimum is more than the maximum"
        )
    return low, high


def _initial(field: Field, given: Any) -> JSON:
    """Returns the value at first. Users can correct lengths and ranges, but renderers cannot show another type."""
    schema = field.schema
    try:
        value = codec.encode(given)
    except codec.CodecError as error:
        raise FormError(f"the option 'value' of '{field.name}' is {given!r}: {error}") from None
    if value is None or value == "":
        return None
    if "oneOf" in schema:
        return next(iter(_existing(field, schema, [value])), None)
    if schema.get("type") == "array" and isinstance(value, list):
        items = schema["items"]
        if "oneOf" in items:
            return _existing(field, items, value)
        reason = next((found for one in value if (found := _mistyped(items, one))), None)
    else:
        reason = _mistyped(schema, value)
    if reason:
        raise FormError(f"the option 'value' of '{field.name}' {reason}, unlike {value!r}")
    return value


def _existing(field: Field, schema: Mapping[str, JSON], values: list[JSON]) -> list[JSON]:
    """Returns the values that are choices: the others may have been choices before."""
    for value in values:
        if forms.problem(schema, value) is not None:
            notice(f"the option 'value' of '{field.name}': {value!r} is not among its choices, and is left out")
    return [value for value in values if forms.problem(schema, value) is None]


def _mistyped(schema: Mapping[str, JSON], value: JSON) -> str | None:
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return f"must be from {-(2**63)} to {2**63 - 1}"
    return forms.problem({"type": schema["type"]}, value) if "type" in schema and schema["type"] != "object" else None


def _title(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ").replace(".", " ")
    return words[:1].upper() + words[1:]
