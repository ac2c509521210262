import CoordinatorKit
import Forms

/// What the engine tells the person on the question that is shown next.
package enum Notice: String, Sendable, Hashable {
  case secretLost = "secret-lost"
  case undoFailed = "undo-failed"

  private var level: ScreenMessage.Level {
    switch self {
    case .secretLost: .warning
    case .undoFailed: .error
    }
  }

  private var text: Text {
    switch self {
    case .secretLost: "Please enter the secret again."
    case .undoFailed: "This could not be undone."
    }
  }

  /// Returns the message of a screen.
  ///
  /// - Parameter language: the language; nil for English.
  /// - Returns: the message.
  func message(in language: Translations.Language?) -> ScreenMessage {
    ScreenMessage(level, code: rawValue, text: Text(verbatim: text.resolved(in: language)))
  }

  /// The message as a log contains it, in English, for engines that show what they read.
  var json: JSONValue {
    let message = message(in: nil)
    return ["level": .string(message.level.rawValue), "code": .string(message.code), "text": .string(message.text)]
  }
}
