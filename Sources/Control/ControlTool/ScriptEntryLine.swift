import CoordinatorKit
import Platform
import RendererKit
import ScriptEngine

/// An entry of a script's log for people.
struct ScriptEntryLine: Sendable {
  /// The columns: the number, the time, the operation, and the recorded result.
  let columns: [String]
  /// The same information as JSON.
  let json: JSONValue

  /// Describes an entry.
  ///
  /// - Parameters:
  ///   - entry: entry of the log.
  ///   - number: its number, from 1.
  ///   - suggestion: dropped answer that is suggested.
  ///   - secondsFromGMT: seconds by which the reader's clock is ahead of UTC; nil for that of the system.
  init(_ entry: LogEntry, number: Int, suggestion: RecordedAnswer?, secondsFromGMT: Int?) {
    let word = entry.body.word
    var what = "\(word) \(entry.key)"
    if let step = entry.step, step.attempts > 1 { what += " (attempt \(step.attempts))" }
    var result = entry.result
    if let suggestion, entry.isOpen { result += "; suggested: \(suggestion.text)" }
    if !entry.place.isEmpty { result += "  (\(entry.place))" }
    columns = [
      "\(number)", entry.time.map { CalendarTime(microseconds: $0, secondsFromGMT: secondsFromGMT).text } ?? "", what.printable,
      result.printable,
    ]
    var object = entry.json.object ?? [:]
    (object["digest"], object["form"], object["cancels"], object["output"], object["work"]) = (nil, nil, nil, nil, nil)
    object["open"] = entry.isOpen ? true : nil
    json = .object(object)
  }
}

extension LogEntry {
  /// The recorded result, in a few words.
  fileprivate var result: String {
    switch body {
    case .ask(let ask): ask.answer?.text ?? "is asked"
    case .step(let step):
      switch step.ending {
      case .done(let value): Self.text(of: value)
      case .failed(let error): "failed, \(error.type): \(error.message)\(error.rest["cut"] == true ? " (output cut)" : "")"
      case nil: step.attempts > 0 ? "is being done" : "is to be done"
      }
    case .value(let value): value.plainText
    case .child(let child):
      switch child.ending {
      case .finished(let result): "finished \(JSONValue.object(result).canonicalText)"
      case .cancelled: "cancelled"
      case .failed(let error): "failed, \(error.type): \(error.message)"
      case nil: "\(child.flow) is running"
      }
    case .timer(let timer): timer.isOver ? "over" : "is waited for"
    case .patch: "marked"
    }
  }

  /// Returns the result of a step. That of a shell command is its output.
  private static func text(of value: JSONValue) -> String {
    guard let status = value["status"]?.integer else { return value == .null ? "done" : "done: \(value.plainText)" }
    let lines = (value["output"]?.string ?? "").bytes.split(separator: "\n")
    let output = lines.isEmpty ? "" : ": \(lines[0])\(lines.count > 1 ? " … (\(lines.count) lines)" : "")"
    let cut = value["cut"] == true ? " (output cut)" : ""
    return (status == 0 ? "done\(output)" : "status \(status)\(output)") + cut
  }
}

extension RecordedAnswer {
  /// The answer. Logs contain no secrets.
  fileprivate var text: String {
    switch self {
    case .timeout: return "nobody has answered"
    case .event(let event, let payload):
      guard !payload.isEmpty else { return event }
      let values = payload.mapValues { $0["secret"]?.boolean == true ? JSONValue.string("•••") : $0 }
      return "\(event) \(JSONValue.object(values).canonicalText)"
    }
  }
}
