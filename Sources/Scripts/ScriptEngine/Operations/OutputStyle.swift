import Forms

/// What a process writes of an answer, whose only way to return something is its output and its status.
package enum OutputStyle: String, Sendable, Hashable {
  /// Nothing; the status is 1 if the event is `no`.
  case status
  /// The event of a menu or a message; the rows of a list, one a line.
  case value
  /// The only value of a form.
  case field
  /// `name='value'` for each field, for `eval`.
  case assignments
  /// The whole answer.
  case json
}

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
    switch body {
    case .ask(let ask): ask.answer?.output(style)
    case .step(let step): step.ending?.output
    case .value(let value): ProcessOutput("\(value.plainText)\n")
    case .child(let child): child.ending?.output(style)
    case .timer(let timer): timer.isOver ? ProcessOutput() : nil
    case .patch: ProcessOutput()
    }
  }
}

extension RecordedAnswer {
  /// The status of a question that nobody has answered in time.
  private static let timeoutStatus: UInt8 = 124

  fileprivate func output(_ style: OutputStyle) -> ProcessOutput {
    guard case .event(let event, let payload) = self else { return ProcessOutput(status: Self.timeoutStatus) }
    switch style {
    case .status: return ProcessOutput(status: event == "no" ? 1 : 0)
    case .json: return ProcessOutput("\(json.canonicalText)\n")
    case .assignments: return ProcessOutput(payload.assignments)
    case .field:
      return ProcessOutput(payload.values.first { $0["secret"]?.boolean != true }.map { "\($0.plainText)\n" } ?? "")
    case .value:
      if let ids = payload["ids"]?.strings { return ProcessOutput(ids.map { "\($0)\n" }.joined()) }
      return ProcessOutput("\(payload["id"]?.string ?? event)\n")
    }
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
  fileprivate func output(_ style: OutputStyle) -> ProcessOutput {
    switch self {
    case .finished(let result):
      ProcessOutput(style == .json ? "\(JSONValue.object(result).canonicalText)\n" : result.assignments)
    case .cancelled: ProcessOutput(status: 1)
    case .failed: ProcessOutput(status: 2)
    }
  }
}

extension [String: JSONValue] {
  /// `name='value'` for each member that is not secret, sorted, for `eval` in a shell.
  var assignments: String {
    filter { $0.value["secret"]?.boolean != true }.sorted { $0.key < $1.key }
      .map { "\($0.key.variableName)='\($0.value.plainText.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'\n" }
      .joined()
  }
}

extension String {
  /// The text as a name of a variable in a shell.
  private var variable: String { String(map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }) }

  fileprivate var variableName: String { variable.first?.isNumber == true ? "_\(variable)" : variable }
}

extension JSONValue {
  /// A string as it is, and any other value as JSON.
  var plainText: String { string ?? canonicalText }
}
