/// A single complete type: what a variant holds, what an array's elements all are, what one argument is.
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
  /// `a` and the type of every element.
  indirect case array(SingleType)
  /// `a{KV}`; the key is of a basic type.
  indirect case dictionary(key: SingleType, value: SingleType)
  /// `(…)`, one member at least.
  case structure([SingleType])
  /// `v`, a value together with its type.
  case variant

  /// Whether the type is no container. Only basic types can be dictionary keys.
  public var isBasic: Bool {
    switch self {
    case .array, .dictionary, .structure, .variant: false
    default: true
    }
  }

  /// What the position of a marshalled value of this type is a multiple of, in bytes.
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

  /// The bytes of every marshalled value of this type, if they are the same number for all of them and need no look inside.
  var fixedSize: Int? {
    switch self {
    case .byte: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32: 4
    case .int64, .uint64, .double: 8
    default: nil
    }
  }

  /// The type's code, if it takes no more than one letter to write.
  var code: Unicode.Scalar? {
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
  /// The type as it is written in a signature.
  public var description: String {
    var text = ""
    append(to: &text)
    return text
  }

  /// Appends the type codes of this type to `text`.
  func append(to text: inout String) {
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
