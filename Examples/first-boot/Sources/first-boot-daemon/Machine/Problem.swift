import CoordinatorKit
import DBus

/// The reason why a step cannot be applied, in words for the user.
struct Problem: Error {
  var text: Text

  init(_ text: Text) { self.text = text }

  /// The words for any error.
  static func text(of error: any Error) -> Text {
    switch error {
    case let problem as Problem: problem.text
    case let refusal as DBusError: Text(verbatim: refusal.message.isEmpty ? refusal.name : refusal.message)
    default: Text(verbatim: "\(error)")
    }
  }
}
