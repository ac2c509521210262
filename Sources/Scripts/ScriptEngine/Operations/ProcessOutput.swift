import Forms
import Platform

/// What a process that was an operation writes, and its exit status.
package struct ProcessOutput: Sendable, Hashable {
  package var text: String
  package var status: UInt8

  /// Creates an output.
  package init(_ text: String = "", status: UInt8 = 0) { (self.text, self.status) = (text, status) }
}

extension LogEntry {
  /// What the process of this operation writes, and its status; nil if it has not ended.
  package var output: ProcessOutput? {
    let style = style ?? .value
    return switch body {
    case .ask(let ask): ask.answer?.output(style, of: ask.form)
    case .step(let step): step.ending?.output
    case .value(let value): ProcessOutput("\(value.line)\n")
    case .child(let child): child.ending?.output(style, child.keys)
    case .timer(let timer): timer.isOver ? ProcessOutput() : nil
    case .patch: ProcessOutput()
    }
  }
}

extension Question {
  /// Returns what the process of this question writes of an answer, and its status.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - style: what is to be written of it.
  /// - Returns: the output.
  package func output(of answer: RecordedAnswer, as style: OutputStyle) -> ProcessOutput { answer.output(style, of: form) }
}

extension RecordedAnswer {
  /// The status of a question that nobody has answered in time.
  private static let timeoutStatus: UInt8 = 124

  fileprivate func output(_ style: OutputStyle, of form: FormShape?) -> ProcessOutput {
    guard case .event(let event, let payload) = self else {
      return ProcessOutput(style == .json ? "\(json.canonicalText)\n" : "", status: Self.timeoutStatus)
    }
    switch style {
    case .status: return ProcessOutput(status: event == "no" ? 1 : 0)
    case .json: return ProcessOutput("\(json.canonicalText)\n")
    case .assignments:
      guard let form else { return ProcessOutput(payload.assignments) }
      let values = event == form.submission ? payload : [:]
      let action = form.hasActions ? ShellText.assignment(ShellVariable(of: "action"), event) : ""
      return ProcessOutput(
        action + form.fields.map { ShellText.assignment(ShellVariable(of: $0), values[$0]?.line ?? "") }.joined())
    case .value: return ProcessOutput(Self.lines(event, payload, form))
    }
  }

  private static func lines(_ event: String, _ payload: [String: JSONValue], _ form: FormShape?) -> String {
    if let form {
      guard event == form.submission, let field = form.fields.first else { return "" }
      return payload[field].map { "\($0.line)\n" } ?? ""
    }
    guard event == "select" else { return "\(event)\n" }
    let ids = payload["ids"]?.strings ?? [payload["id"]?.string].compactMap(\.self)
    return ids.map { "\($0)\n" }.joined()
  }
}

extension StepEnding {
  fileprivate var output: ProcessOutput {
    switch self {
    case .done(let value):
      ProcessOutput(
        value["output"]?.string ?? value.string.map { "\($0)\n" } ?? "",
        status: value["status"]?.integer.flatMap { UInt8(exactly: $0) } ?? 0)
    case .failed(let error):
      ProcessOutput(error.rest["output"]?.string ?? "", status: error.rest["status"]?.integer.flatMap { UInt8(exactly: $0) } ?? 1)
    }
  }
}

extension ChildEnding {
  fileprivate func output(_ style: OutputStyle, _ keys: [String]?) -> ProcessOutput {
    switch self {
    case .finished(let result):
      switch style {
      case .status: ProcessOutput()
      case .value: ProcessOutput((keys?.first).flatMap { result.open[$0] }.map { "\($0.line)\n" } ?? "")
      case .assignments: ProcessOutput(result.assignments(keys))
      case .json: ProcessOutput("\(JSONValue.object(result).canonicalText)\n")
      }
    case .cancelled: ProcessOutput(status: 1)
    case .failed: ProcessOutput(status: 3)
    }
  }
}

extension [String: JSONValue] {
  /// `name='value'` for each member, by name, for `eval` in a shell.
  fileprivate var assignments: String { assignments(nil) }

  /// `name='value'` for some members in their order, empty for those that are missing; or for all of them.
  fileprivate func assignments(_ keys: [String]?) -> String {
    let open = open
    return (keys ?? open.keys.sorted()).map { ShellText.assignment(ShellVariable(of: $0), open[$0]?.line ?? "") }.joined()
  }
}

extension JSONValue {
  /// A string as it is, the elements of an array a line each, and any other value as JSON. Without NULs, which neither
  /// arguments nor variables can contain.
  fileprivate var line: String {
    let text = string ?? array.map { $0.map(\.line).joined(separator: "\n") } ?? canonicalText
    return text.utf8.contains(0) ? String(decoding: text.utf8.filter { $0 != 0 }, as: UTF8.self) : text
  }
}
