"""Encodes dataclasses, enums and containers as JSON values, and decodes them.

State, inputs, results, and the arguments and results of work are stored as JSON. pydantic encodes and decodes its own
models, if it is installed.
"""

from __future__ import annotations

import base64
import dataclasses
import enum
import functools
import json
import types
import typing
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any, Literal, TypeAlias, TypeVar, Union, cast, get_args, get_origin

JSON: TypeAlias = Any
"""A JSON value: None, bool, int, float, str, a list of JSON values, or a dictionary of JSON values."""

T = TypeVar("T")


class CodecError(ValueError):
    """A value that cannot be encoded, or JSON that cannot be decoded as the expected type."""


def is_model(kind: Any) -> bool:
    """Whether a type is a pydantic 2 model."""
    return isinstance(kind, type) and hasattr(kind, "model_validate") and hasattr(kind, "model_json_schema")


def encode(value: Any) -> JSON:
    """Encodes a value as JSON."""
    if isinstance(value, enum.Enum):
        return encode(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            raise CodecError(f"{value} is not JSON, whose numbers are finite")
        return value
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if is_model(type(value)):
        return value.model_dump(mode="json")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = ((field.name, getattr(value, field.name)) for field in dataclasses.fields(value))
        return {name: encode(part) for name, part in fields if part is not None}
    if isinstance(value, Mapping):
        return {_key(key): encode(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [encode(part) for part in value]
    if isinstance(value, set | frozenset):
        return sorted((encode(part) for part in value), key=text)
    raise CodecError(f"a {type(value).__name__} is not JSON: use a dataclass, an enum, or what JSON has")


def _key(key: Any) -> str:
    key = key.value if isinstance(key, enum.Enum) else key
    if not isinstance(key, str):
        raise CodecError(f"the keys of JSON are strings, not {type(key).__name__}: {key!r}")
    return key


def decode(kind: type[T], value: JSON) -> T:
    """Decodes JSON as a value of a type."""
    return cast(T, _decode(kind, value, ""))


@functools.cache
def hints(kind: type) -> dict[str, Any]:
    """Returns the types of a class's attributes."""
    return typing.get_type_hints(kind)


def _decode(kind: Any, value: JSON, place: str) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is Any or kind is object:
        return value
    if origin is typing.Annotated or origin in (typing.Final, typing.ClassVar, typing.Required, typing.NotRequired):
        return _decode(arguments[0], value, place)
    if origin is Union or origin is types.UnionType:
        return _decode_union(arguments, value, place)
    if origin is Literal:
        if value in arguments:
            return value
        raise _mismatch(kind, value, place)
    if kind is None or kind is type(None):
        if value is None:
            return None
        raise _mismatch("null", value, place)
    if origin in (list, tuple, set, frozenset) or kind in (list, tuple, set, frozenset):
        return _decode_list(origin or kind, arguments, value, place)
    if isinstance(origin or kind, type) and issubclass(origin or kind, Mapping):
        if not isinstance(value, dict):
            raise _mismatch(kind, value, place)
        key, part = arguments or (str, Any)
        return {_decode(key, name, place): _decode(part, inner, f"{place}/{name}") for name, inner in value.items()}
    if is_model(kind):
        return kind.model_validate(value)
    if dataclasses.is_dataclass(kind):
        return _decode_dataclass(cast(type, kind), value, place)
    return _decode_scalar(kind, value, place)


def _decode_union(kinds: tuple[Any, ...], value: JSON, place: str) -> Any:
    problem: Exception | None = None
    # Exact types take precedence, so that an int does not become a float because of the order of a union.
    for kind in sorted(kinds, key=lambda kind: kind is not type(value)):
        try:
            return _decode(kind, value, place)
        except (CodecError, ValueError, TypeError) as error:
            problem = error
    raise problem or CodecError("an empty union")


def _decode_list(container: Any, arguments: tuple[Any, ...], value: JSON, place: str) -> Any:
    if not isinstance(value, list):
        raise _mismatch(container, value, place)
    if container is tuple and arguments and arguments[-1] is not Ellipsis:
        if len(arguments) != len(value):
            raise _mismatch(container, value, place)
        pairs = zip(arguments, value, strict=True)
        return tuple(_decode(kind, part, f"{place}/{index}") for index, (kind, part) in enumerate(pairs))
    kind = arguments[0] if arguments else Any
    return container(_decode(kind, part, f"{place}/{index}") for index, part in enumerate(value))


def _decode_dataclass(kind: type, value: JSON, place: str) -> Any:
    if not isinstance(value, dict):
        raise _mismatch(kind, value, place)
    known = {field.name: field for field in dataclasses.fields(kind) if field.init}
    if unknown := sorted(set(value) - set(known)):
        raise CodecError(f"{place or '/'}: {kind.__name__} has no '{unknown[0]}'")
    arguments: dict[str, Any] = {}
    for name, field in known.items():
        expected = hints(kind)[name]
        if name in value:
            arguments[name] = _decode(expected, value[name], f"{place}/{name}")
        elif field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING:
            arguments[name] = _decode_missing(expected, f"{place}/{name}")
        elif _has_none(expected) and field.default is not None:
            arguments[name] = None
    return kind(**arguments)


def _decode_missing(kind: Any, place: str) -> Any:
    """Returns the value of an absent field.

    Encoding omits None. A class without fields, such as `SecretName`, has only one value.
    """
    kind = get_args(kind)[0] if get_origin(kind) is typing.Annotated else kind
    if dataclasses.is_dataclass(kind) and isinstance(kind, type) and not dataclasses.fields(kind):
        return kind()
    try:
        return _decode(kind, None, place)
    except CodecError:
        raise CodecError(f"{place}: is missing") from None


def _has_none(kind: Any) -> bool:
    return get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)


def _decode_scalar(kind: Any, value: JSON, place: str) -> Any:
    if not isinstance(kind, type):
        raise CodecError(f"{place or '/'}: {kind!r} cannot be decoded")
    if issubclass(kind, enum.Enum):
        try:
            return kind(value)
        except ValueError:
            raise _mismatch(kind, value, place) from None
    if kind is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if kind in (bool, int, str):
        if type(value) is kind:
            return value
        raise _mismatch(kind, value, place)
    if kind in (datetime, date) and isinstance(value, str):
        return kind.fromisoformat(value)
    if kind is timedelta and isinstance(value, int | float):
        return timedelta(seconds=value)
    if kind is bytes and isinstance(value, str):
        return base64.b64decode(value, validate=True)
    raise _mismatch(kind, value, place)


def _mismatch(kind: Any, value: JSON, place: str) -> CodecError:
    # The message omits the value, because errors are logged.
    expected = getattr(kind, "__name__", str(kind))
    return CodecError(f"{place or '/'}: expected {expected}, found {type(value).__name__}")


def text(value: JSON) -> str:
    """Returns the canonical text of a JSON value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
