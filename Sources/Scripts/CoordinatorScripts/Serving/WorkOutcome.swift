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
    let error = StepError(type: "too-long", message: "The result has more than \(Self.maxSize / 1024) KiB.")
    return WorkOutcome.ended(.failed(error)).json.wholeText
  }

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
