import Forms
import Platform

/// A question of a script: a screen, and what becomes of it if nobody answers.
package struct Question: Sendable, Hashable {
  /// What a screen offers as an answer.
  private struct Choice: Sendable, Hashable {
    let id: String
    let isDisabled: Bool
  }

  /// The screen as an object of the contract, without a name.
  package var screen: [String: JSONValue]
  /// Changes with what is shown and may be answered.
  package var digest: String
  /// After how many seconds the question is answered without the user; nil if it waits.
  package var timeout: Double?
  /// The answer then; nil if the script is told that nobody has answered.
  package var fallback: RecordedAnswer?

  /// Creates a question.
  package init(screen: [String: JSONValue], digest: String, timeout: Double? = nil, fallback: RecordedAnswer? = nil) {
    (self.screen, self.digest, self.timeout, self.fallback) = (screen, digest, timeout, fallback)
  }

  /// Reads a question.
  ///
  /// - Throws: ``ScriptCrash`` if it has no screen.
  init(_ name: String, json: JSONValue, at place: String) throws(ScriptCrash) {
    guard let screen = json["screen"]?.object, screen["kind"]?.string != nil else {
      throw ScriptCrash("the question \(name) has no screen", at: place)
    }
    self.init(
      screen: screen, digest: json["digest"]?.string ?? "", timeout: json["timeout"]?.number.flatMap { $0.isFinite ? $0 : nil },
      fallback: json["default"].map { RecordedAnswer(json: $0) })
  }

  /// Whether it says that an answer could not be used.
  var isCorrection: Bool { screen["messages"]?.array?.contains { $0["level"]?.string == "error" } ?? false }

  /// The actions that end the flow as cancelled.
  var cancels: [String] {
    (screen["actions"]?.array ?? []).filter { $0["role"]?.string == "cancel" }.compactMap { $0["id"]?.string }
  }

  /// What has to be known to write the answer of a form; nil if it is not a form.
  var form: FormShape? {
    guard screen["kind"]?.string == "form" else { return nil }
    let properties = screen["schema"]?["properties"]?.object ?? [:]
    let fields = (screen["fields"]?.strings ?? properties.keys.sorted()).filter { properties[$0]?["writeOnly"]?.boolean != true }
    let actions = (screen["actions"]?.array ?? []).filter { $0["role"]?.string != "cancel" }
    return FormShape(fields: fields, submission: submission ?? "", hasActions: actions.count > 1)
  }

  private func choices(_ key: String) -> [Choice] {
    (screen[key]?.array ?? []).compactMap { object in
      object["id"]?.string.map { Choice(id: $0, isDisabled: object["disabled"]?.string != nil) }
    }
  }

  private func offers(_ id: String, in key: String) -> Bool { choices(key).contains { $0.id.bytes.equals(id) && !$0.isDisabled } }

  /// Returns whether an answer can be given to this question.
  package func accepts(_ answer: RecordedAnswer) -> Bool {
    guard case .event(let event, let payload) = answer else { return timeout != nil }
    switch (screen["kind"]?.string, event) {
    case ("list", "select"):
      if let id = payload["id"]?.string { return screen["choosing"] == nil && offers(id, in: "items") }
      guard let ids = payload["ids"]?.strings, screen["choosing"] != nil else { return false }
      return ids.allSatisfy { offers($0, in: "items") }
    case ("form", _):
      guard offers(event, in: "actions") else { return false }
      return submission?.bytes.equals(event) == true ? isValid(payload) : payload.isEmpty
    default: return offers(event, in: "actions") && payload.isEmpty
    }
  }

  /// The action of a form that takes its values.
  private var submission: String? {
    screen["actions"]?.array?.first { $0["role"]?.string == "primary" }?["id"]?.string
  }

  /// Whether a form takes values, of which the secret ones are not known.
  private func isValid(_ payload: [String: JSONValue]) -> Bool {
    guard let json = screen["schema"], let schema = try? Schema(json: json) else { return false }
    // A secret may have any value, but its field must still be there, and be secret.
    let secrets = payload.filter { $0.value["secret"]?.boolean == true }.keys
    guard Set(secrets).isSubset(of: schema.secretFields) else { return false }
    let open = payload.filter { !secrets.contains($0.key) }
    return !schema.check(open).keys.contains { !secrets.contains($0) }
  }

  /// Returns the screen with an answer that was given before: filled in or chosen in advance, never given.
  func suggesting(_ answer: RecordedAnswer?) -> [String: JSONValue] {
    guard case .event(let event, let payload) = answer else { return screen }
    var screen = screen
    switch screen["kind"]?.string {
    case "form":
      let properties = screen["schema"]?["properties"]?.object ?? [:]
      let values = payload.filter { properties[$0.key].map { $0["writeOnly"]?.boolean != true } ?? false }
      if !values.isEmpty { screen["values"] = .object((screen["values"]?.object ?? [:]).merging(values) { $1 }) }
    case "list":
      if let id = payload["id"]?.string, offers(id, in: "items") { screen["suggested"] = .string(id) }
      if let ids = payload["ids"]?.strings {
        let known = ids.filter { offers($0, in: "items") }
        // No ids at all: no item was chosen, although the screen may choose some at first.
        if !known.isEmpty || ids.isEmpty { screen["suggested"] = .strings(known) }
      }
      if event != "select", offers(event, in: "actions") { screen["suggested"] = .string(event) }
    default: if offers(event, in: "actions") { screen["suggested"] = .string(event) }
    }
    return screen
  }
}
