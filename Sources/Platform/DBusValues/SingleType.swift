/// A single complete type: the type of a variant's content, of an array's elements, or of one argument.
///
/// Source: D-Bus Specification, "Type System".
public enum SingleType: Sendable, Hashable {
  /// `y`, an unsigned octet.
  case byte
  /// `b`
  case boolean
  /// `n`
  case int16
  /// `q`
  case uint16
  /// `i`
  case int32
  /// `u`
  case uint32
  /// `x`
  case int64
  /// `t`
  case uint64
  /// `d`, IEEE 754 binary64.
  case double
  /// `s`, UTF-8 without U+0000.
  case string
  /// `o`
  case objectPath
  /// `g`
  case signature
  /// `a`, an array whose elements all have this type.
  indirect case array(SingleType)
  /// `a{KV}`, a dictionary. The key has a basic type.
  indirect case dictionary(key: SingleType, value: SingleType)
  /// `(…)`, a structure with at least one member.
  case structure([SingleType])
  /// `v`, a value together with its type.
  case variant

  /// Whether the type is basic, that is, not a container. Only basic types can be dictionary keys.
  public var isBasic: Bool {
    switch self {
    case .array, .dictionary, .structure, .variant: false
    default: true
    }
  }

  /// The alignment of a marshalled value of this type in bytes: its offset is a multiple of this number.
  ///
  /// Source: D-Bus Specification, "Marshaling (Wire Format)".
  public var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .string, .objectPath, .array, .dictionary: 4
    case .int64, .uint64, .double, .structure: 8
    }
  }

  /// The size in bytes of every marshalled value of this type; nil if the size depends on the value or the type is a
  /// container.
  package var fixedSize: Int? {
    switch self {
    case .byte: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32: 4
    case .int64, .uint64, .double: 8
    default: nil
    }
  }

  /// The type code; nil for a type that needs more than one letter.
  package var code: Unicode.Scalar? {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .variant: "v"
    case .array, .dictionary, .structure: nil
    }
  }
}

extension SingleType: CustomStringConvertible {
  /// The type in the notation of signatures.
  public var description: String {
    var text = ""
    append(to: &text)
    return text
  }

  /// Appends the type codes of this type to `text`.
  package func append(to text: inout String) {
    switch self {
    case .array(let element):
      text.append("a")
      element.append(to: &text)
    case .dictionary(let key, let value):
      text.append("a{")
      key.append(to: &text)
      value.append(to: &text)
      text.append("}")
    case .structure(let members):
      text.append("(")
      for member in members { member.append(to: &text) }
      text.append(")")
    default:
      if let code { text.unicodeScalars.append(code) }
    }
  }
}
