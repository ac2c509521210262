import CoordinatorKit
import Forms

/// What the engine tells the person on the question that is shown next.
package enum Notice: String, Sendable, Hashable {
  case secretLost = "secret-lost"
  case undoFailed = "undo-failed"

  private var level: String {
    switch self {
    case .secretLost: "warning"
    case .undoFailed: "error"
    }
  }

  private var text: Text {
    switch self {
    case .secretLost: "Please enter the secret again."
    case .undoFailed: "This could not be undone."
    }
  }

  /// Returns the message of a screen. A log contains it too, in English, for engines that show what they read.
  ///
  /// - Parameter language: the language; nil for English.
  /// - Returns: the message.
  func message(in language: Translations.Language?) -> JSONValue {
    ["level": .string(level), "code": .string(rawValue), "text": .string(text.resolved(in: language))]
  }
}
