/// The reason why a line of the control protocol is invalid. The keeper then closes the connection.
enum ControlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line is not a JSON object.
  case malformed
  /// No member contains a request.
  case unknown
  /// A member has an invalid value.
  case unsuitable(String)
  /// The client has not sent a request in time.
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
