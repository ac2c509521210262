import Forms

/// A log that cannot be read.
package struct UnreadableLog: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, for people.
  package let description: String

  /// Creates an error.
  package init(_ description: String) { self.description = description }
}

extension LogEntry {
  /// Reads an entry.
  ///
  /// - Throws: ``UnreadableLog``.
  package init(json: JSONValue) throws(UnreadableLog) {
    guard let kind = json["kind"]?.string, let key = json["key"]?.string else {
      throw UnreadableLog("an entry has no kind or no key")
    }
    let place = json["at"]?.string ?? ""
    switch kind {
    case "ask": self.init(key, .ask(AskEntry(json: json)), at: place)
    case "step", "look": self.init(key, .step(StepEntry(json: json, isLook: kind == "look")), at: place)
    case "value": self.init(key, .value(json["result"] ?? .null), at: place)
    case "child": self.init(key, .child(ChildEntry(json: json)), at: place)
    case "timer":
      let due = UInt64(exactly: json["due"]?.integer ?? 0) ?? 0
      let duration = json["after"]?.integer.flatMap { UInt64(exactly: $0) }
      self.init(key, .timer(TimerEntry(due: due, duration: duration, isOver: json["result"]?.boolean ?? false)), at: place)
    case "patch": self.init(key, .patch, at: place)
    default: throw UnreadableLog("the entry \(key) is of the unknown kind \(kind)")
    }
    time = json["time"]?.integer.flatMap { UInt64(exactly: $0) }
    style = json["output"]?.string.flatMap { OutputStyle(rawValue: $0) }
    isFollowed = json["more"]?.boolean ?? false
  }

  /// The entry as the protocol describes it.
  package var json: JSONValue {
    var members: [String: JSONValue]
    switch body {
    case .ask(let ask): members = ask.members
    case .step(let step): members = step.members
    case .value(let value): members = ["kind": "value", "result": value]
    case .child(let child): members = child.members
    case .timer(let timer):
      members = ["kind": "timer", "due": .integer(Int64(clamping: timer.due))]
      members["after"] = timer.duration.map { .integer(Int64(clamping: $0)) }
      if timer.isOver { members["result"] = true }
    case .patch: members = ["kind": "patch"]
    }
    members["key"] = .string(key)
    if !place.isEmpty { members["at"] = .string(place) }
    members["time"] = time.map { .integer(Int64(clamping: $0)) }
    members["output"] = style.map { .string($0.rawValue) }
    if isFollowed { members["more"] = true }
    return .object(members)
  }
}

extension AskEntry {
  fileprivate init(json: JSONValue) {
    self.init(digest: json["digest"]?.string ?? "")
    answer = json["answer"].map { RecordedAnswer(json: $0) }
    text = json["text"]?.string
    corrects = json["corrects"]?.boolean ?? false
    cancels = json["cancels"]?.strings ?? []
    due = json["due"]?.integer.flatMap { UInt64(exactly: $0) }
    duration = json["after"]?.integer.flatMap { UInt64(exactly: $0) }
    fallback = json["default"].map { RecordedAnswer(json: $0) }
    form = json["form"].map { form in
      FormShape(
        fields: form["fields"]?.strings ?? [], submission: form["submit"]?.string ?? "",
        hasActions: form["actions"]?.boolean ?? false)
    }
  }

  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["kind": "ask", "digest": .string(digest)]
    members["answer"] = answer?.json
    members["text"] = text.map { .string($0) }
    if corrects { members["corrects"] = true }
    if !cancels.isEmpty { members["cancels"] = .strings(cancels) }
    members["due"] = due.map { .integer(Int64(clamping: $0)) }
    members["after"] = duration.map { .integer(Int64(clamping: $0)) }
    members["default"] = fallback?.json
    members["form"] = form.map { form in
      ["fields": .strings(form.fields), "submit": .string(form.submission), "actions": .boolean(form.hasActions)]
    }
    return members
  }
}

extension StepEntry {
  fileprivate init(json: JSONValue, isLook: Bool) {
    self.init(isLook: isLook)
    if let error = json["error"] {
      ending = .failed(StepError(json: error))
    } else if let result = json.object?["result"] {
      ending = .done(result)
    }
    attempts = UInt64(exactly: json["attempts"]?.integer ?? 0) ?? 0
    undo = Undo(json: json["undo"])
    isOnce = json["once"]?.boolean ?? false
    mostAttempts = json["most"]?.integer.flatMap { UInt64(exactly: $0) }
    earlierAttempts = UInt64(exactly: json["earlier"]?.integer ?? 0) ?? 0
    secrets = json["secrets"]?.strings ?? []
    isResultSecret = json["secret-result"]?.boolean ?? false
    busy = json["busy"]?.string ?? ""
    isStoppable = json["stoppable"]?.boolean ?? false
    isStopped = json["stopped"]?.boolean ?? false
    work = json["work"]?.string
    deaths = UInt64(exactly: json["deaths"]?.integer ?? 0) ?? 0
    isCutShort = json["cut-short"]?.boolean ?? false
  }

  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["kind": .string(isLook ? "look" : "step")]
    switch ending {
    case .done(let value): members["result"] = value
    case .failed(let error): members["error"] = error.json
    case nil: break
    }
    if attempts > 0 { members["attempts"] = .integer(Int64(clamping: attempts)) }
    members["undo"] = undo?.json
    if isOnce { members["once"] = true }
    members["most"] = mostAttempts.map { .integer(Int64(clamping: $0)) }
    if earlierAttempts > 0 { members["earlier"] = .integer(Int64(clamping: earlierAttempts)) }
    if !secrets.isEmpty { members["secrets"] = .strings(secrets) }
    if isResultSecret { members["secret-result"] = true }
    if !busy.isEmpty, ending == nil { members["busy"] = .string(busy) }
    if isStoppable, ending == nil { members["stoppable"] = true }
    if isStopped, ending == nil { members["stopped"] = true }
    members["work"] = work.map { .string($0) }
    if deaths > 0 { members["deaths"] = .integer(Int64(clamping: deaths)) }
    if isCutShort { members["cut-short"] = true }
    return members
  }
}

extension Undo {
  /// Reads how a step is undone; nil if it cannot be undone.
  init?(json: JSONValue?) {
    switch json {
    case .string(let command): self = .command(command)
    case .boolean(true): self = .byScript
    case .array(let words):
      let texts = words.compactMap(\.string)
      guard texts.count == words.count, !texts.isEmpty else { return nil }
      self = .words(texts)
    default: return nil
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .byScript: true
    case .words(let words): .strings(words)
    case .command(let command): .string(command)
    }
  }
}

extension ChildEntry {
  fileprivate init(json: JSONValue) {
    self.init(flow: json["flow"]?.string ?? "", input: json["input"]?.object ?? [:], keys: json["keys"]?.strings)
    ending = json["result"].map { ChildEnding(json: $0) }
  }

  fileprivate var members: [String: JSONValue] {
    var members: [String: JSONValue] = ["kind": "child", "flow": .string(flow), "input": .object(input)]
    members["keys"] = keys.map { .strings($0) }
    members["result"] = ending.map { .object($0.members) }
    return members
  }
}

extension ChildEnding {
  /// Reads an ending; an unknown outcome counts as failed.
  package init(json: JSONValue) {
    self =
      switch json["outcome"]?.string {
      case "finished": .finished(json["result"]?.object ?? [:])
      case "cancelled": .cancelled
      default: .failed(StepError(json: json["error"] ?? [:]))
      }
  }

  /// `outcome` with `result` or `error`.
  package var members: [String: JSONValue] {
    switch self {
    case .finished(let result): ["outcome": "finished", "result": .object(result)]
    case .cancelled: ["outcome": "cancelled"]
    case .failed(let error): ["outcome": "failed", "error": error.json]
    }
  }
}

extension StepError {
  /// Reads an error, any part of which may be missing.
  package init(json: JSONValue) {
    var rest = json.object ?? [:]
    self.init(
      type: rest.removeValue(forKey: "type")?.string ?? "Error", message: rest.removeValue(forKey: "message")?.string ?? "",
      rest: rest)
  }

  /// The error as an object.
  package var json: JSONValue {
    .object(rest.merging(["type": .string(type), "message": .string(message)]) { $1 })
  }
}

extension RecordedAnswer {
  /// Reads an answer.
  package init(json: JSONValue) {
    if json["timeout"]?.boolean == true {
      self = .timeout
    } else {
      self = .event(json["event"]?.string ?? "", json["payload"]?.object ?? [:])
    }
  }

  /// The answer as an object.
  package var json: JSONValue {
    switch self {
    case .event(let event, let payload): ["event": .string(event), "payload": .object(payload)]
    case .timeout: ["timeout": true]
    }
  }

  /// The answer without its secrets; nil if it cannot be suggested again.
  var suggestion: RecordedAnswer? {
    guard case .event(let event, let payload) = self else { return nil }
    return .event(event, payload.filter { $0.value["secret"]?.boolean != true })
  }
}

extension JSONValue {
  /// An array of strings.
  static func strings(_ strings: [String]) -> JSONValue { .array(strings.map { .string($0) }) }

  /// The strings of an array; what is not a string is left out.
  var strings: [String]? { array.map { $0.compactMap(\.string) } }
}
