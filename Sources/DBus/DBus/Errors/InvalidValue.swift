/// Why a value cannot be sent.
public enum InvalidValue: Error, Sendable, Hashable {
  /// An element of an array or a dictionary has another type than the container says.
  case wrongType(expected: SingleType, found: SingleType)
  /// A string holds U+0000.
  case nulInString
  /// Containers are nested deeper than 64.
  case tooDeep
  /// The types make no signature: too long (255 bytes), nested too deep (32 arrays, 32 structures), a structure without members,
  /// or a container as a dictionary key.
  case noSignature
  /// An array has more than 64 MiB of elements.
  case arrayTooLarge
  /// The message has more than 128 MiB.
  case messageTooLarge
}

extension InvalidValue: CustomStringConvertible {
  /// One line, without any part of the value.
  public var description: String {
    switch self {
    case .wrongType(let expected, let found): "a value of type \(found) stands where the type is \(expected)"
    case .nulInString: "a string holds the character U+0000"
    case .tooDeep: "values are nested deeper than \(WireLimits.depth) levels"
    case .noSignature: "the types of the values do not make a valid signature"
    case .arrayTooLarge: "an array is larger than 64 MiB"
    case .messageTooLarge: "the message is larger than 128 MiB"
    }
  }
}
