import Forms
import ScriptEngine

/// What a piece of work has come to, as the daemon keeps it until the script is told.
enum WorkOutcome: Sendable, Hashable {
  /// The script has got to its next operation.
  case ready
  case ended(StepEnding)
  /// The work was cut short, or there was no run to do it.
  case interrupted
  /// The script's process has ended by itself.
  case died

  /// The most bytes of a result: the log has to have room for it.
  private static let maxSize = 200 * 1024

  /// The outcome as text.
  var text: String {
    let text = json.wholeText
    guard text.utf8.count > Self.maxSize else { return text }
    return WorkOutcome.ended(.failed(shortened)).json.wholeText
  }

  /// What is recorded instead of what is too long.
  private var shortened: StepError {
    guard case .ended(.failed(let error)) = self else {
      // It was done, and is not repeated.
      return StepError(
        type: StepError.tooLongType,
        message: "This was done, but its result has more than \(Self.maxSize / 1024) KiB, and is not recorded.")
    }
    let status = error.rest["status"].map { ["status": $0] } ?? [:]
    return StepError(type: Self.beginning(of: error.type), message: Self.beginning(of: error.message), rest: status)
  }

  private static func beginning(of text: String) -> String { String(String.UnicodeScalarView(text.unicodeScalars.prefix(1_000))) }

  private var json: JSONValue {
    switch self {
    case .ready: ["ready": true]
    case .ended(.done(let value)): ["done": value]
    case .ended(.failed(let error)): ["error": error.json]
    case .interrupted: ["interrupted": true]
    case .died: ["interrupted": true, "died": true]
    }
  }

  /// Reads an outcome; anything else is an interruption.
  init(_ json: JSONValue?) {
    if json?["ready"]?.boolean == true {
      self = .ready
    } else if let value = json?.object?["done"] {
      self = .ended(.done(value))
    } else if let error = json?["error"] {
      self = .ended(.failed(StepError(json: error)))
    } else {
      self = json?["died"]?.boolean == true ? .died : .interrupted
    }
  }
}
