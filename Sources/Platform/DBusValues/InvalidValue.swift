/// The reason why a value cannot be sent.
public enum InvalidValue: Error, Sendable, Hashable {
  /// An element of an array or dictionary does not have the type that the container declares.
  case wrongType(expected: SingleType, found: SingleType)
  /// A string contains U+0000.
  case nulInString
  /// Containers are nested more than 64 levels deep.
  case tooDeep
  /// The types have no valid signature: it would be too long (255 bytes) or nested too deeply (32 arrays, 32
  /// structures), a structure has no members, or a dictionary key is a container.
  case noSignature
  /// The elements of an array take more than 64 MiB.
  case arrayTooLarge
  /// The message is larger than 128 MiB.
  case messageTooLarge
}

extension InvalidValue: CustomStringConvertible {
  /// The error on one line, without any part of the value.
  public var description: String {
    switch self {
    case .wrongType(let expected, let found): "expected a value of type \(expected), but found type \(found)"
    case .nulInString: "a string contains the character U+0000"
    case .tooDeep: "values are nested deeper than \(WireLimits.depth) levels"
    case .noSignature: "the types of the values do not form a valid signature"
    case .arrayTooLarge: "an array is larger than 64 MiB"
    case .messageTooLarge: "the message is larger than 128 MiB"
    }
  }
}
