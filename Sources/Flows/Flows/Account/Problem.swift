import CoordinatorKit

extension Account {
  /// The reason why a check did not let the user in. The raw value is the code of the message.
  enum Problem: String, Codable {
    case invalidCredentials = "invalid-credentials"
    case tooManyAttempts = "too-many-attempts"
    case interrupted
    case unavailable

    var message: ScreenMessage {
      switch self {
      case .invalidCredentials: .error(rawValue, "The user name or the password is wrong.")
      case .tooManyAttempts: .error(rawValue, "Too many wrong passwords. Try again in half a minute.")
      case .interrupted: .warning(rawValue, "The check was interrupted. Please type your password again.")
      case .unavailable: .error(rawValue, "Passwords cannot be checked at the moment.")
      }
    }
  }
}
