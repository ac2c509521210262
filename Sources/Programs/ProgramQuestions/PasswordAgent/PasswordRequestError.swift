/// The reason why a file in `ask-password` is not a request.
package enum PasswordRequestError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The section [Ask] lacks this key.
  case missing(String)
  /// The value of this key cannot be read.
  case malformed(String)

  package var description: String {
    switch self {
    case .missing(let key): "there is no \(key)= in the section [Ask]"
    case .malformed(let key): "the value of \(key)= cannot be read"
    }
  }
}
