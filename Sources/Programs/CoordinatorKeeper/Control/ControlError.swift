/// Why a line of the control protocol cannot be understood. The connection is closed then.
enum ControlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line is not a JSON object.
  case malformed
  /// No member says what is wanted.
  case unknown
  /// A member has a value that it cannot have.
  case unsuitable(String)
  /// Nothing was asked for.
  case silent

  var description: String {
    switch self {
    case .malformed: "a request must be a JSON object on one line"
    case .unknown: "a request needs one of 'watch', 'answer', 'back', 'cancel' and 'end'"
    case .silent: "nothing was asked for, so the connection ends; connect again"
    case .unsuitable(let member): "'\(member)' has a value that it cannot have"
    }
  }
}
