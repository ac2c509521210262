import CoordinatorKit
import Forms
import Platform

/// A question of a script: a screen, and what becomes of it if nobody answers.
package struct Question: Sendable, Hashable {
  /// What is shown, without a name; nil if the script has described nothing that can be shown, which ``check(_:at:)`` says.
  package let screen: Screen?
  /// Why there is no screen, for the script's author.
  private let fault: String
  /// The keys of the description that nothing reads.
  package let unknownKeys: [UnknownKey]
  /// Changes with what is shown and may be answered.
  package var digest: String
  /// After how many seconds the question is answered without the user; nil if it waits.
  package var timeout: Double?
  /// The answer then; nil if the script is told that nobody has answered.
  package var fallback: RecordedAnswer?

  /// Creates a question.
  package init(screen: Screen, digest: String, timeout: Double? = nil, fallback: RecordedAnswer? = nil) {
    (self.screen, fault, unknownKeys) = (screen, "", [])
    (self.digest, self.timeout, self.fallback) = (digest, timeout, fallback)
  }

  /// Reads a question.
  ///
  /// - Parameters:
  ///   - name: the name of the question.
  ///   - json: the operation of a run.
  ///   - place: where it stands in the script.
  /// - Throws: ``ScriptCrash`` if it has no screen.
  package init(_ name: String, json: JSONValue, at place: String) throws(ScriptCrash) {
    guard let description = json["screen"]?.object, let kind = description[ScreenKey.kind.rawValue]?.string else {
      throw ScriptCrash("the question \(name) has no screen", at: place)
    }
    var unknown: [UnknownKey] = []
    do {
      guard Screen.Kind(rawValue: kind) != nil else { throw MalformedScreen(key: ScreenKey.kind.rawValue) }
      (screen, fault) = (try Screen(describedAs: description) { unknown.append($0) }, "")
    } catch let error as MalformedScreen {
      (screen, fault) = (nil, error.fault)
    } catch {
      (screen, fault) = (nil, "\(error)")
    }
    unknownKeys = unknown
    digest = json["digest"]?.string ?? ""
    timeout = json["timeout"]?.number.flatMap { $0.isFinite ? $0 : nil }
    fallback = json["default"].map { RecordedAnswer(json: $0) }
  }

  /// Returns the screen of the question. A question that was answered before was shown before, and need not be checked again.
  ///
  /// The daemon refuses such a screen as well, but cannot tell the author where the question stands.
  ///
  /// - Parameters:
  ///   - name: the name of the question.
  ///   - place: where it stands in the script.
  /// - Returns: the screen, without a name.
  /// - Throws: ``ScriptCrash`` if it cannot be shown, which names the field, the keyword and the reason.
  @discardableResult
  package func checkedScreen(_ name: String, at place: String) throws(ScriptCrash) -> Screen {
    guard let screen else { throw crash(name, fault, at: place) }
    do throws(MalformedScreen) { try screen.validate() } catch { throw crash(name, error.fault, at: place) }
    return screen
  }

  private func crash(_ name: String, _ fault: String, at place: String) -> ScriptCrash {
    ScriptCrash("the question \(name) cannot be shown: \(fault)", at: place)
  }

  // MARK: Answers

  /// Whether it says that an answer could not be used.
  var isCorrection: Bool { screen?.messages.contains { $0.level == .error } ?? false }

  /// The actions that end the flow as cancelled.
  package var cancels: [String] { (screen?.actions ?? []).filter { $0.role == .cancel }.map(\.id) }

  /// What has to be known to write the answer of a form; nil if it is not a form.
  var form: FormShape? {
    guard let screen, screen.kind == .form else { return nil }
    return FormShape(
      fields: (screen.form?.fields ?? []).filter { !$0.schema.isSecret }.map(\.name), submission: submission ?? "",
      hasActions: screen.actions.count { $0.role != .cancel } > 1)
  }

  private func offersAction(_ id: String) -> Bool {
    screen?.actions.contains { $0.id.bytes.equals(id) && $0.disabled == nil } ?? false
  }

  private func offersRow(_ id: String) -> Bool {
    screen?.items?.contains { $0.id.bytes.equals(id) && $0.disabled == nil } ?? false
  }

  /// Returns whether an answer can be given to this question.
  package func accepts(_ answer: RecordedAnswer) -> Bool {
    guard case .event(let event, let payload) = answer else { return timeout != nil }
    switch (screen?.kind, event) {
    case (.list, Event.select):
      if let id = payload["id"]?.string { return screen?.choosing == nil && offersRow(id) }
      guard let ids = payload["ids"]?.strings, screen?.choosing != nil else { return false }
      return ids.allSatisfy(offersRow)
    case (.form, _):
      guard offersAction(event) else { return false }
      return submission?.bytes.equals(event) == true ? isValid(payload) : payload.isEmpty
    default: return offersAction(event) && payload.isEmpty
    }
  }

  /// The action of a form that takes its values.
  private var submission: String? { screen?.actions.first { $0.role == .primary }?.id }

  /// Whether a form takes values, of which the secret ones are not known.
  private func isValid(_ payload: [String: JSONValue]) -> Bool {
    guard let schema = screen?.form?.schema else { return false }
    // A secret may have any value, but its field must still be there, and be secret.
    let secrets = payload.filter { $0.value["secret"]?.boolean == true }.keys
    guard Set(secrets).isSubset(of: schema.secretFields) else { return false }
    let open = payload.filter { !secrets.contains($0.key) }
    return !schema.check(open).keys.contains { !secrets.contains($0) }
  }

  /// Returns the screen with an answer that was given before: filled in or chosen in advance, never given; nil if there is
  /// no screen.
  func suggesting(_ answer: RecordedAnswer?) -> Screen? {
    guard var screen, case .event(let event, let payload) = answer else { return screen }
    switch screen.kind {
    case .form:
      let open = Set((screen.form?.fields ?? []).filter { !$0.schema.isSecret }.map(\.name))
      screen.values.merge(payload.filter { open.contains($0.key) }) { $1 }
    case .list:
      if let id = payload["id"]?.string, offersRow(id) { screen.suggested = [id] }
      if let ids = payload["ids"]?.strings {
        let known = ids.filter(offersRow)
        // No ids at all: no item was chosen, although the screen may choose some at first.
        if !known.isEmpty || ids.isEmpty { screen.suggested = known }
      }
      if event != Event.select, offersAction(event) { screen.suggested = [event] }
    default: if offersAction(event) { screen.suggested = [event] }
    }
    return screen
  }
}
