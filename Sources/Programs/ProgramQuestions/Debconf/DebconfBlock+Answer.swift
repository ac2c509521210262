import Forms
import Platform

extension DebconfBlock {
  /// Returns the value that debconf reads for each question, in order.
  ///
  /// - Parameters:
  ///   - event: the event of the screen.
  ///   - payload: its payload.
  ///   - secrets: the secret values by field.
  /// - Returns: one value for each question.
  /// - Throws: ``DebconfAnswerError`` if the screen does not take this answer.
  func values(
    for event: String, _ payload: [String: JSONValue], _ secrets: [String: [UInt8]]
  ) throws(DebconfAnswerError) -> [DebconfValue] {
    if let question = only { return [try value(of: question, for: event, payload)] }
    guard event == Self.submission else { throw .unknownEvent(event) }
    var values: [DebconfValue] = []
    for question in questions { values.append(try value(of: question, in: payload[question.field], secrets[question.field])) }
    return values
  }

  /// Returns the value that debconf reads for the only question of a screen.
  private func value(
    of question: DebconfQuestion, for event: String, _ payload: [String: JSONValue]
  ) throws(DebconfAnswerError) -> DebconfValue {
    switch (question.type, event) {
    case (.boolean, "yes"): return DebconfValue("true".utf8, of: question)
    case (.boolean, "no"): return DebconfValue("false".utf8, of: question)
    case (.select, "select"): return try value(of: question, in: payload["id"], nil)
    case (.multiselect, "select"): return try value(of: question, in: payload["ids"] ?? payload["id"].map { .array([$0]) }, nil)
    case (let type, Self.submission) where type.isShownOnly: return DebconfValue([], of: question)
    default: throw .unknownEvent(event)
    }
  }

  private func value(
    of question: DebconfQuestion, in entered: JSONValue?, _ secret: [UInt8]?
  ) throws(DebconfAnswerError) -> DebconfValue {
    let entered = entered?.isNull == true ? nil : entered
    switch question.type {
    case .note, .text, .error, .title, .unknown: return DebconfValue([], of: question)
    case .password:
      guard entered == nil else { throw .unsuitable(field: question.field) }
      let isKept = question.keepsPassword && secret?.isEmpty != false
      return DebconfValue((isKept ? question.presentPassword?.bytes : secret) ?? [], of: question)
    case .boolean:
      guard let value = entered.map({ $0.boolean }) ?? false else { throw .unsuitable(field: question.field) }
      return DebconfValue((value ? "true" : "false").utf8, of: question)
    case .select where !question.choices.isEmpty:
      guard let id = entered?.string, let option = question.options.first(where: { $0.id.bytes.equals(id) }) else {
        throw .unsuitable(field: question.field)
      }
      return DebconfValue(option.value.utf8, of: question)
    case .multiselect where !question.choices.isEmpty:
      let options = question.options.filter { $0.disabled == nil }
      let known = Set(options.map(\.id.bytes))
      guard let ids = entered.map({ $0.array }) ?? [], ids.allSatisfy({ $0.string.map { known.contains($0.bytes) } ?? false })
      else { throw .unsuitable(field: question.field) }
      let chosen = Set(ids.compactMap { $0.string?.bytes })
      return DebconfValue(
        options.filter { chosen.contains($0.id.bytes) }.map(\.value).joined(separator: ", ").utf8, of: question)
    case .string, .select, .multiselect:
      guard let text = entered.map({ $0.string }) ?? "" else { throw .unsuitable(field: question.field) }
      return DebconfValue(text.utf8, of: question)
    }
  }

  /// Returns the answer of the screen that gives these values.
  ///
  /// - Parameter value: returns the value of a question, as debconf reads it; nil if there is none. Not called for questions
  ///   that are only shown.
  /// - Returns: the answer.
  /// - Throws: ``DebconfAnswerError/unsuitable(field:)`` for the first question without a suitable value.
  package func answer(with value: (DebconfQuestion) -> String?) throws(DebconfAnswerError) -> ProgramAnswer {
    var payload: [String: JSONValue] = [:]
    var secrets: [String: [UInt8]] = [:]
    for question in questions where !question.type.isShownOnly {
      guard let text = value(question) else { throw .unsuitable(field: question.field) }
      guard question.type != .password else {
        secrets[question.field] = Array(text.utf8)
        continue
      }
      guard let entered = question.entered(text) else { throw .unsuitable(field: question.field) }
      payload[question.field] = entered
    }
    guard let question = only else { return .event(Self.submission, payload: payload, secrets: secrets) }
    switch (question.type, payload[question.field]) {
    case (.boolean, let entered?): return .event(entered == true ? "yes" : "no", payload: [:], secrets: [:])
    case (.select, let entered?): return .event("select", payload: ["id": entered], secrets: [:])
    case (.multiselect, let entered?): return .event("select", payload: ["ids": entered], secrets: [:])
    default: return .event(Self.submission, payload: [:], secrets: [:])
    }
  }
}

extension DebconfQuestion {
  /// Converts a value that debconf reads to the value of a form field; returns nil if a form cannot contain it.
  fileprivate func entered(_ text: String) -> JSONValue? {
    switch type {
    case .boolean: return text == "true" ? true : text == "false" ? false : nil
    case .select where !choices.isEmpty:
      return options.first { $0.value.bytes.equals(text) }.map { .string($0.id) }
    case .multiselect where !choices.isEmpty:
      let options = options.filter { $0.disabled == nil }
      let values = DebconfChoices.split(text)
      let ids = values.map { value in options.first { $0.value.bytes.equals(value) }?.id }
      return ids.contains(nil) ? nil : .array(ids.compactMap { $0.map(JSONValue.string) })
    default: return .string(text)
    }
  }
}
