"""Forms: their fields, their JSON Schema, and the validation of payloads.

A form is declared with `Field`s, a dataclass, or a pydantic model. Declaring a form that the daemon would refuse (see
Docs/forms.md) raises `FormError`.
"""

from __future__ import annotations

import dataclasses
import enum
import math
import types
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from coordinator import codec, patterns
from coordinator.codec import JSON
from coordinator.errors import FlowError


class FormError(FlowError):
    """A form that the daemon would refuse. The message begins with a JSON pointer."""


@dataclass(frozen=True)
class Field:
    """A field of a form: its name and the JSON Schema of its value."""

    name: str
    schema: Mapping[str, JSON]
    required: bool = True
    value: Any = None
    """The value at first, which a form of a screen shows."""

    @property
    def optional(self) -> Field:
        """The field, made optional."""
        return dataclasses.replace(self, required=False)

    def _with(self, **keywords: JSON) -> Field:
        return dataclasses.replace(self, schema={**self.schema, **keywords})

    def shown_if(self, **conditions: Any) -> Field:
        """Returns the field with a condition: it is shown only if other fields have one of these values.

        While it is shown, the field is required unless it is optional.
        """
        values = {
            name: [codec.encode(value) for value in (wanted if isinstance(wanted, list | tuple) else [wanted])]
            for name, wanted in conditions.items()
        }
        more = {"x-required-if-shown": True} if self.required else {}
        return dataclasses.replace(self._with(**{"x-shown-if": values, **more}), required=False)

    def meant_for(self, purpose: str) -> Field:
        """Returns the field with its purpose, a field name of HTML's attribute `autocomplete`."""
        return self._with(**{"x-purpose": purpose})

    def example(self, *values: Any) -> Field:
        """Returns the field with examples of its value."""
        return self._with(examples=[codec.encode(value) for value in values])

    def explained(self, text: str) -> Field:
        """Returns the field with the message shown for an invalid value."""
        return self._with(**{"x-message": text})

    def revealable(self) -> Field:
        """Returns the secret field with permission to show the value while it is typed."""
        return self._with(**{"x-revealable": True})

    def same_as(self, name: str) -> Field:
        """Returns the text or secret field with the name of another one, which must have the same value."""
        return self._with(**{"x-same-as": name})

    def measured_in(self, unit: str) -> Field:
        """Returns the field with the unit of its number."""
        return self._with(**{"x-unit": unit})


def _keywords(title: str, summary: str, default: Any, **more: JSON) -> dict[str, JSON]:
    keywords = {"title": title, **({"description": summary} if summary else {})}
    if default is not None:
        keywords["default"] = codec.encode(default)
    return {**{key: value for key, value in more.items() if value is not None}, **keywords}


Bounds: TypeAlias = tuple[float | None, float | None]


def text(
    name: str, title: str, *, length: tuple[int, int | None] | None = None, pattern: str | None = None,
    format: str | None = None, multiline: bool = False, summary: str = "", default: str | None = None,
) -> Field:  # fmt: skip
    """Returns a field for a string. `length` is the minimum and the maximum number of code points."""
    low, high = length or (None, None)
    schema = _keywords(
        title, summary, default, type="string", minLength=low, maxLength=high, pattern=pattern, format=format
    )
    return Field(name, {**schema, **({"x-multiline": True} if multiline else {})})


def secret(
    name: str, title: str, *, length: tuple[int, int | None] | None = None, pattern: str | None = None,
    summary: str = "",
) -> Field:  # fmt: skip
    """Returns a field for a secret. Only the work that takes the secret receives its value."""
    return text(name, title, length=length, pattern=pattern, summary=summary)._with(writeOnly=True)


def integer(
    name: str, title: str, *, bounds: Bounds = (None, None), summary: str = "", default: int | None = None
) -> Field:
    """Returns a field for an integer."""
    low, high = bounds
    return Field(name, _keywords(title, summary, default, type="integer", minimum=low, maximum=high))


def number(
    name: str, title: str, *, bounds: Bounds = (None, None), summary: str = "", default: float | None = None
) -> Field:
    """Returns a field for a number."""
    low, high = bounds
    return Field(name, _keywords(title, summary, default, type="number", minimum=low, maximum=high))


def boolean(name: str, title: str, *, summary: str = "", default: bool | None = None) -> Field:
    """Returns a field for a Boolean."""
    return Field(name, _keywords(title, summary, default, type="boolean"))


def choice(name: str, title: str, of: Any, *, summary: str = "", default: Any = None) -> Field:
    """Returns a field for one of several choices: an enum, a dictionary of titles, or a list of values."""
    return Field(name, {**_keywords(title, summary, default), **one_of(of)})


def choices(
    name: str, title: str, of: Any, *, count: tuple[int | None, int | None] = (None, None), summary: str = ""
) -> Field:
    """Returns a field for any number of choices, each at most once."""
    low, high = count
    keywords = _keywords(title, summary, None, type="array", minItems=low, maxItems=high, uniqueItems=True)
    return Field(name, {**keywords, "items": one_of(of)})


def one_of(of: Any) -> dict[str, JSON]:
    """Returns the schema of a choice."""
    found = constants(of)
    names = {str: "string", bool: "boolean", int: "integer", float: "number"}
    kinds = {names.get(type(one["const"]), "") for one in found}
    kind = kinds.pop() if len(kinds) == 1 else ""
    return {**({"type": kind} if kind else {}), "oneOf": found}


def constants(of: Any) -> list[dict[str, JSON]]:
    """Returns choices with their titles."""
    if isinstance(of, type) and issubclass(of, enum.Enum):
        pairs: Iterable[tuple[Any, str]] = (
            (case.value, str(getattr(case, "title", case.name.replace("_", " ").capitalize()))) for case in of
        )
    elif isinstance(of, Mapping):
        pairs = ((codec.encode(value), title) for value, title in of.items())
    else:
        pairs = ((codec.encode(value), str(codec.encode(value))) for value in of)
    return [{"const": value, "title": title} for value, title in pairs]


class Form:
    """The fields of a form, in the order in which they are shown."""

    def __init__(self, *fields: Field, kind: type | None = None) -> None:
        self.fields = fields
        self.kind = kind
        names = [field.name for field in fields]
        if twice := [name for name in names if names.count(name) > 1]:
            raise FormError(f"/properties/{twice[0]}: is declared twice")
        self._schema: dict[str, JSON] = {
            "type": "object",
            "properties": {field.name: dict(field.schema) for field in fields},
            **({"required": needed} if (needed := [field.name for field in fields if field.required]) else {}),
            "additionalProperties": False,
        }
        check_schema(self._schema)

    @property
    def names(self) -> list[str]:
        """The names of the fields, in order."""
        return [field.name for field in self.fields]

    @property
    def secrets(self) -> list[str]:
        """The names of the secret fields."""
        return [field.name for field in self.fields if field.schema.get("writeOnly")]

    def to_json(self) -> dict[str, JSON]:
        """Returns the JSON Schema of the payload."""
        return self._schema

    def shown_values(self, values: Mapping[str, Any]) -> dict[str, JSON]:
        """Returns the initial values without those of secret fields."""
        unknown = sorted(set(values) - set(self.names))
        if unknown:
            raise FormError(f"/properties/{unknown[0]}: a value is given for a field that the form does not have")
        initial = {field.name: field.value for field in self.fields if field.value is not None}
        encoded = {
            name: codec.encode(value) for name, value in {**initial, **values}.items() if name not in self.secrets
        }
        return {name: value for name, value in encoded.items() if value is not None}

    def problems(self, payload: Mapping[str, JSON]) -> dict[str, str]:
        """Returns the reasons why a payload is invalid, by field."""
        return problems(self._schema, payload)


FormLike: TypeAlias = Form | type | Sequence[Field]


def form_of(fields: FormLike) -> Form:
    """Returns the form that fields, a dataclass or a pydantic model declare."""
    if isinstance(fields, Form):
        return fields
    if isinstance(fields, type):
        return _form_of_type(fields)
    return Form(*checked_fields(fields, "a field", "text"))


def checked_fields(fields: Any, what: str, example: str) -> list[Field]:
    """Returns the fields. Raises `FormError` if they are no fields, with `example`, a function that makes one."""
    if isinstance(fields, Mapping):
        name = next(iter(fields), "name")
        raise FormError(
            f"a form is made of fields, a dataclass or a model of pydantic, not of a dictionary:"
            f' write [{example}("{name}", "{str(name).capitalize()}")], or the dataclass'
        )
    if isinstance(fields, str) or not isinstance(fields, Iterable):
        raise FormError(f"a form is made of fields, a dataclass or a model of pydantic, not of {fields!r}")
    several = list(fields)
    for field in several:
        if not isinstance(field, Field):
            title = field.capitalize() if isinstance(field, str) and field else "Name"
            raise FormError(f'{what} is made by {example}("{title.lower()}", "{title}") and its like, not {field!r}')
    return several


_FORMS: dict[type, Form] = {}


def _form_of_type(kind: type) -> Form:
    if kind not in _FORMS:
        if codec.is_model(kind):
            _FORMS[kind] = _form_of_model(kind)
        elif dataclasses.is_dataclass(kind):
            _FORMS[kind] = Form(*_fields_of_dataclass(kind), kind=kind)
        else:
            raise FormError(f"{kind.__name__}: a form is made of fields, a dataclass or a model of pydantic")
    return _FORMS[kind]


@dataclass(frozen=True)
class As:
    """The properties of a field of a dataclass, other than its type.

    ```python
    @dataclass
    class Person:
        name: Annotated[str, As("Full name", length=(1, 64))]
        password: Annotated[SecretName, As("Password", length=(8, 128))] = SecretName()
    ```
    """

    title: str = ""
    summary: str = ""
    length: tuple[int, int | None] | None = None
    pattern: str | None = None
    format: str | None = None
    bounds: Bounds = (None, None)
    count: tuple[int | None, int | None] = (None, None)
    multiline: bool = False
    keywords: Mapping[str, JSON] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True)
class SecretName:
    """The type of a secret field of a dataclass. Payloads never contain the value."""


def _fields_of_dataclass(kind: type) -> list[Field]:
    hints = typing.get_type_hints(kind, include_extras=True)
    result = []
    for part in dataclasses.fields(kind):
        hint, about, optional = hints[part.name], As(), False
        if get_origin(hint) is Annotated:
            about = next((extra for extra in get_args(hint)[1:] if isinstance(extra, As)), about)
            hint = get_args(hint)[0]
        if get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint):
            rest = [option for option in get_args(hint) if option is not type(None)]
            if len(rest) != 1:
                raise FormError(f"/properties/{part.name}: a union of several types is not supported")
            hint, optional = rest[0], True
        has_default = part.default is not dataclasses.MISSING or part.default_factory is not dataclasses.MISSING
        default = None if part.default is dataclasses.MISSING else part.default
        field = _field(part.name, hint, about, None if isinstance(default, SecretName) else default)
        is_secret = hint is SecretName
        result.append(field.optional if optional or (has_default and not is_secret) else field)
    return result


def _field(name: str, hint: Any, about: As, default: Any) -> Field:
    title = about.title or name.replace("_", " ").capitalize()
    origin, arguments = get_origin(hint), get_args(hint)
    common: dict[str, Any] = {"summary": about.summary}
    if hint is SecretName:
        field = secret(name, title, length=about.length, pattern=about.pattern, **common)
    elif isinstance(hint, type) and issubclass(hint, enum.Enum):
        field = choice(name, title, hint, default=default, **common)
    elif origin is Literal:
        field = choice(name, title, arguments, default=default, **common)
    elif hint is bool:
        field = boolean(name, title, default=default, **common)
    elif hint is int:
        field = integer(name, title, bounds=about.bounds, default=default, **common)
    elif hint is float:
        field = number(name, title, bounds=about.bounds, default=default, **common)
    elif hint in (str, date, datetime):
        format = about.format or {date: "date", datetime: "date-time"}.get(hint)
        field = text(
            name, title, length=about.length, pattern=about.pattern, format=format, multiline=about.multiline,
            default=default, **common,
        )  # fmt: skip
    elif origin in (list, set, frozenset, tuple) and arguments:
        field = _list_field(name, title, arguments[0], about, unique=origin in (set, frozenset))
    else:
        raise FormError(f"/properties/{name}: a field cannot have the type {hint!r}")
    return field._with(**about.keywords) if about.keywords else field


def _list_field(name: str, title: str, hint: Any, about: As, *, unique: bool) -> Field:
    is_choice = get_origin(hint) is Literal or (isinstance(hint, type) and issubclass(hint, enum.Enum))
    if is_choice:
        return choices(name, title, get_args(hint) or hint, count=about.count, summary=about.summary)
    low, high = about.count
    keywords = _keywords(title, about.summary, None, type="array", minItems=low, maxItems=high)
    if unique:
        keywords["uniqueItems"] = True
    if dataclasses.is_dataclass(hint):
        return Field(name, {**keywords, "items": Form(*_fields_of_dataclass(typing.cast(type, hint))).to_json()})
    items = _field(name, hint, dataclasses.replace(about, count=(None, None)), None)
    return Field(name, {**keywords, "items": {key: value for key, value in items.schema.items() if key != "title"}})


def _form_of_model(kind: Any) -> Form:
    schema = kind.model_json_schema(mode="validation")
    try:
        simple = simplified(schema)
        required = set(simple.get("required", ()))
        properties = simple["properties"].items()
        for name, info in kind.model_fields.items():
            enums = [one for one in (info.annotation, *get_args(info.annotation)) if _is_enum(one)]
            field = simple["properties"].get(info.alias or name, {})
            if len(enums) == 1 and "oneOf" in field:
                field.update(one_of(enums[0]))
        return Form(*(Field(name, part, name in required) for name, part in properties), kind=kind)
    except FormError as error:
        raise FormError(f"{kind.__name__}: {error}") from None


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, enum.Enum)


def simplified(schema: Mapping[str, JSON]) -> dict[str, JSON]:
    """Converts a schema to the contract's subset: resolves references, and replaces null and `enum`."""
    definitions = schema.get("$defs", {})

    def resolve(part: Mapping[str, JSON], depth: int = 0) -> dict[str, JSON]:
        if depth > 16:
            raise FormError("/$defs: a definition refers to itself")
        if "$ref" in part:
            name = str(part["$ref"]).removeprefix("#/$defs/")
            if name not in definitions:
                raise FormError(f"/$ref: '{part['$ref']}' is not supported here")
            rest = {key: value for key, value in part.items() if key != "$ref"}
            found = resolve(definitions[name], depth + 1)
            if found.get("type") != "object":
                # The title describes the definition, not the field.
                found = {key: value for key, value in found.items() if key not in ("title", "description")}
            return {**found, **rest}
        if len(part.get("allOf", ())) == 1:
            rest = {key: value for key, value in part.items() if key != "allOf"}
            return {**resolve(part["allOf"][0], depth + 1), **rest}
        result = dict(part)
        if "items" in result:
            result["items"] = resolve(result["items"], depth + 1)
            result["items"].pop("title", None) if result["items"].get("type") != "object" else None
            if result["items"].get("type") == "object":
                result["items"] = simple_object(result["items"], depth + 1)
        if "enum" in result and "oneOf" not in result:
            values = result.pop("enum")
            result.pop("type", None)
            result["oneOf"] = [{"const": value, "title": str(value)} for value in values if value is not None]
        return result

    def simple_object(part: Mapping[str, JSON], depth: int = 0) -> dict[str, JSON]:
        required = list(part.get("required", ()))
        properties: dict[str, JSON] = {}
        for name, original in part.get("properties", {}).items():
            property = resolve(original, depth)
            options = property.get("anyOf")
            if options and any(option.get("type") == "null" for option in options):
                rest = [option for option in options if option.get("type") != "null"]
                if len(rest) != 1:
                    raise FormError(f"/properties/{name}/anyOf: is not supported here")
                inner = {key: value for key, value in property.items() if key != "anyOf"}
                property = {**resolve(rest[0], depth + 1), **inner}
                required = [entry for entry in required if entry != name]
            if property.get("default", 0) is None:
                del property["default"]
            if "const" in property and "oneOf" not in property:
                constant = property.pop("const")
                property.pop("type", None)
                property["oneOf"] = [{"const": constant, "title": str(constant)}]
            property.setdefault("title", name.replace("_", " ").capitalize())
            properties[name] = property
        return {
            "type": "object", "properties": properties, **({"required": required} if required else {}),
            "additionalProperties": False, **({"title": part["title"]} if "title" in part and depth else {}),
        }  # fmt: skip

    return simple_object(schema)


LONGEST_TEXT = 1 << 20
FORMATS = frozenset(
    [
        "email",
        "date",
        "time",
        "date-time",
        "uri",
        "hostname",
        "ipv4",
        "ipv6",
        "uuid",
        "duration",
        "time-local",
        "ip",
        "phone",
        "file-path",
        "password",
    ]
)
_KEPT = frozenset(
    [
        "title",
        "description",
        "default",
        "$id",
        "$comment",
        "examples",
        "deprecated",
        "readOnly",
        "contentEncoding",
        "contentMediaType",
    ]
)
_OF_TYPE: Mapping[str, frozenset[str]] = {
    "string": frozenset({"minLength", "maxLength", "pattern", "format", "writeOnly"}),
    "integer": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}),
    "boolean": frozenset(),
    "array": frozenset({"items", "minItems", "maxItems", "uniqueItems"}),
}


def check_schema(schema: Mapping[str, JSON], place: str = "") -> None:
    """Raises `FormError` unless the daemon accepts the schema of an object."""
    for keyword in schema:
        known = keyword in {"type", "properties", "required", "additionalProperties", "$schema", "$defs", *_KEPT}
        if not known and not keyword.startswith(("x-", "ui:")):
            raise FormError(f"{place}/{keyword}: is not supported here")
    if schema.get("type") != "object":
        raise FormError(f"{place}/type: the outermost schema is an object")
    properties = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in properties:
            raise FormError(f"{place}/required: there is no property '{name}'")
    for name, part in properties.items():
        _check_property(part, f"{place}/properties/{name}", needs_title=True)
        for other in part.get("x-shown-if", {}):
            if other not in properties:
                raise FormError(f"{place}/properties/{name}/x-shown-if: there is no field '{other}'")
        if "x-same-as" in part and not _can_repeat(properties, name):
            raise FormError(f"{place}/properties/{name}/x-same-as: must name another text field, as secret as this one")


def _can_repeat(properties: Mapping[str, Mapping[str, JSON]], name: str) -> bool:
    part, other = properties[name], properties.get(properties[name]["x-same-as"], {})
    are_texts = part.get("type") == other.get("type") == "string" and "oneOf" not in (*part, *other)
    return are_texts and other is not part and bool(part.get("writeOnly")) == bool(other.get("writeOnly"))


def _check_property(part: Mapping[str, JSON], place: str, *, needs_title: bool, nested: bool = False) -> None:
    if needs_title and not part.get("title"):
        raise FormError(f"{place}: needs a title")
    kind = str(part.get("type"))
    allowed: frozenset[str] = frozenset()
    for union in ("anyOf", "allOf", "$ref"):
        if union in part:
            raise FormError(f"{place}/{union}: is not supported here")
    if "oneOf" in part:
        for index, constant in enumerate(part["oneOf"]):
            if "const" not in constant or "title" not in constant:
                raise FormError(f"{place}/oneOf/{index}: a choice has a const and a title")
        if not part["oneOf"]:
            raise FormError(f"{place}/oneOf: needs at least one choice")
    elif kind not in _OF_TYPE:
        raise FormError(
            f"{place}/type: a field is a string, a number, a Boolean, a choice or a list of those, not '{kind}'"
        )
    else:
        allowed = _OF_TYPE[kind]
    for keyword in part:
        known = keyword in _KEPT or keyword in allowed or keyword in {"type", "oneOf"}
        if not known and not keyword.startswith(("x-", "ui:")):
            raise FormError(f"{place}/{keyword}: is not supported here")
    if part.get("format") is not None and part["format"] not in FORMATS:
        raise FormError(f"{place}/format: '{part['format']}' is not supported here")
    if "pattern" in part:
        check_pattern(part["pattern"], f"{place}/pattern", part.get("maxLength", LONGEST_TEXT))
    if kind == "array" and "oneOf" not in part:
        items = part.get("items")
        if items is None or nested or items.get("type") == "array":
            raise FormError(f"{place}/items: a list has strings, numbers, Booleans, choices or small objects")
        if items.get("type") == "object":
            for name, inner in items.get("properties", {}).items():
                if inner.get("type") in ("array", "object") or inner.get("writeOnly"):
                    raise FormError(
                        f"{place}/items/properties/{name}: lists, objects and secrets are not supported here"
                    )
            check_schema(items, f"{place}/items")
        else:
            _check_property(items, f"{place}/items", needs_title=False, nested=True)
    if part.get("default") is not None and (reason := problem(part, part["default"])):
        raise FormError(f"{place}/default: {reason}")


def check_pattern(pattern: str, place: str = "/pattern", longest: int = 0) -> None:
    """Raises `FormError` for an invalid pattern, and for one that cannot be matched in linear time.

    `longest` is the maximum length of the string.
    """
    try:
        patterns.compiled(pattern)
        if (longest + 1) * patterns.steps(pattern) > patterns.MAX_STEPS:
            raise FormError(
                f"{place}: '{pattern}' could take too long on a string of {longest} characters: limit the length"
            )
    except patterns.PatternError as error:
        raise FormError(f"{place}: '{pattern}': {error}") from None


def problems(schema: Mapping[str, JSON], payload: Mapping[str, JSON]) -> dict[str, str]:
    """Returns the reasons why a payload is invalid, by field, worded as in the daemon."""
    properties: Mapping[str, Mapping[str, JSON]] = schema.get("properties", {})
    found = {name: "is not a field of this form" for name in payload if name not in properties}
    shown = shown_fields(schema, payload)
    for name, part in properties.items():
        value = payload.get(name)
        if name not in shown:
            continue
        if value is None:
            if name in schema.get("required", ()) or part.get("x-required-if-shown"):
                found[name] = "is required"
        elif reason := problem(part, value):
            found[name] = str(part.get("x-message", reason))
    for name in shown - set(found):
        other = properties[name].get("x-same-as")
        if other in shown and payload.get(name) != payload.get(other):
            reason = f"is not the same as {properties[other].get('title', other)}"
            found[name] = str(properties[name].get("x-message", reason))
    return found


def shown_fields(schema: Mapping[str, JSON], payload: Mapping[str, JSON]) -> set[str]:
    """Returns the names of the fields that are shown for these values."""
    properties: Mapping[str, Mapping[str, JSON]] = schema.get("properties", {})

    def is_shown(name: str, depth: int = 0) -> bool:
        conditions: Mapping[str, Sequence[JSON]] = properties[name].get("x-shown-if", {})
        return depth < 64 and all(
            other in properties and is_shown(other, depth + 1) and payload.get(other) in values
            for other, values in conditions.items()
        )

    return {name for name in properties if is_shown(name)}


_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,), "integer": (int,), "number": (int, float), "boolean": (bool,), "array": (list,),
    "object": (dict,),
}  # fmt: skip


def problem(part: Mapping[str, JSON], value: JSON) -> str | None:
    """Returns the reason why a value is invalid, or None. Does not check formats; the daemon does."""
    if "oneOf" in part:
        allowed = [constant["const"] for constant in part["oneOf"]]
        return (
            None if value in allowed and type(value) in {type(one) for one in allowed} else "is not one of the choices"
        )
    kind = str(part.get("type", "string"))
    is_typed = isinstance(value, _TYPES.get(kind, (object,)))
    if not is_typed or (isinstance(value, bool) and kind != "boolean"):
        return {
            "integer": "must be a whole number",
            "number": "must be a number",
            "boolean": "must be true or false",
        }.get(kind, "must be a list" if kind == "array" else "must be a text")
    if kind == "string":
        return _string_problem(part, value)
    if kind in ("integer", "number"):
        return _number_problem(part, value)
    if kind == "array":
        return _array_problem(part, value)
    return None


def _string_problem(part: Mapping[str, JSON], value: str) -> str | None:
    low, high = part.get("minLength", 0), part.get("maxLength", math.inf)
    if not low <= len(value) <= high:
        return f"must have {low} to {high} characters" if high != math.inf else f"must have at least {low} characters"
    if "pattern" in part and not patterns.compiled(part["pattern"]).search(value):
        example = next(iter(part.get("examples", ())), None)
        return "is not in the expected form" + (f", such as {example}" if example else "")
    return None


def _number_problem(part: Mapping[str, JSON], value: float) -> str | None:
    if value < part.get("minimum", -math.inf) or value <= part.get("exclusiveMinimum", -math.inf):
        return f"must be at least {part.get('minimum', part.get('exclusiveMinimum'))}"
    if value > part.get("maximum", math.inf) or value >= part.get("exclusiveMaximum", math.inf):
        return f"must be at most {part.get('maximum', part.get('exclusiveMaximum'))}"
    return None


def _array_problem(part: Mapping[str, JSON], value: list[JSON]) -> str | None:
    if not part.get("minItems", 0) <= len(value) <= part.get("maxItems", math.inf):
        return f"must have {part.get('minItems', 0)} to {part.get('maxItems', 'any number of')} entries"
    if part.get("uniqueItems") and len({codec.text(entry) for entry in value}) != len(value):
        return "must not have an entry twice"
    for entry in value:
        items = part.get("items", {})
        if items.get("type") == "object":
            wrong = problems(items, entry) if isinstance(entry, dict) else {"": "must be an object"}
            reason = next(iter(wrong.values()), None)
        else:
            reason = problem(items, entry)
        if reason:
            return f"has an entry that {reason}"
    return None
