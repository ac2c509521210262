import CoordinatorKit
import Forms
import Platform

/// A question of a script: a screen, and its timeout.
package struct Question: Sendable, Hashable {
  /// The screen, without a name; nil if the script's description is not a screen: ``checkedScreen(_:at:)`` then throws the
  /// reason.
  package private(set) var screen: Screen?
  /// Why there is no screen, for the script's author.
  private let fault: String
  /// The unknown keys of the description.
  package let unknownKeys: [UnknownKey]
  /// Changes when the screen or the possible answers change.
  package var digest: String
  /// After how many seconds the question is answered without the user; nil if it waits.
  package var timeout: Double?
  /// The answer after the timeout; nil if the script receives a timeout instead.
  package var fallback: RecordedAnswer?
  /// Whether it shows the answers to the questions before it.
  package var isReview = false
  /// The languages that are its rows; nil if the script gives the rows.
  package private(set) var languages: LanguageOffer?

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
    isReview = json["review"]?.boolean ?? false
    languages = try json["languages"].map { offer throws(ScriptCrash) in try LanguageOffer(json: offer, of: name, at: place) }
    timeout = json["timeout"]?.number.flatMap { $0.isFinite ? $0 : nil }
    fallback = json["default"].map { RecordedAnswer(json: $0) }
  }

  /// Returns the screen of the question, and checks that it can be shown. Do not check an answered question again: it was shown
  /// before.
  ///
  /// The daemon refuses such a screen as well, but cannot tell the author where the question is in the script.
  ///
  /// - Parameters:
  ///   - name: the name of the question.
  ///   - place: where the question is in the script.
  /// - Returns: the screen, without a name.
  /// - Throws: ``ScriptCrash`` if it cannot be shown, with the field, the keyword and the reason.
  @discardableResult
  package func checkedScreen(_ name: String, at place: String) throws(ScriptCrash) -> Screen {
    guard let screen else { throw crash(name, fault, at: place) }
    do throws(MalformedScreen) { try screen.validate() } catch { throw crash(name, error.fault, at: place) }
    return screen
  }

  private func crash(_ name: String, _ fault: String, at place: String) -> ScriptCrash {
    ScriptCrash("the question \(name) cannot be shown: \(fault)", at: place)
  }

  /// Fills in the rows of a question about the language.
  ///
  /// - Parameters:
  ///   - languages: the languages with their own names, in the order of the rows.
  ///   - current: the language that is chosen at first; nil for none.
  package mutating func offer(_ languages: [(tag: LanguageTag, name: String)], current: LanguageTag?) {
    guard self.languages != nil, var screen else { return }
    screen.items = languages.map { Item($0.tag.bcp47, verbatim: $0.name) }
    screen.suggested = current.map { [$0.bcp47] } ?? []
    if screen.title.isEmpty { screen.title = Text("Language").string }
    self.screen = screen
  }

  // MARK: Answers

  /// The maximum number of Unicode scalars of the text of an answer, without the mark that it was cut.
  private static let mostText = 200

  /// Returns the titles of what an answer has chosen, as the user has seen them; nil if it has values of fields, or is the only
  /// one.
  func text(of answer: RecordedAnswer) -> String? {
    guard let screen = screen?.withTranslatedDefaults, case .event(let event, let payload) = answer else { return nil }
    let ids = payload["ids"]?.strings ?? payload["id"]?.string.map { [$0] } ?? []
    let titles: [String]
    switch screen.kind {
    case .list where event == Event.select:
      titles = ids.compactMap { id in screen.items?.first { $0.id.bytes.equals(id) }?.title }
      if titles.isEmpty { return ReviewRow.nothing }
    case .menu, .list, .message:
      guard screen.actions.count(where: { $0.role != .cancel }) > 1 else { return nil }
      titles = screen.actions.filter { $0.id.bytes.equals(event) }.map(\.title)
    case .form where submission?.bytes.equals(event) == false:
      titles = screen.actions.filter { $0.id.bytes.equals(event) }.map(\.title)
    default: return nil
    }
    let text = titles.joined(separator: "\n")
    guard text.unicodeScalars.count > Self.mostText else { return text.isEmpty ? nil : text }
    return String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.mostText))) + "…"
  }

  /// Whether it contains an error message about the previous answer.
  var isCorrection: Bool { screen?.messages.contains { $0.level == .error } ?? false }

  /// The actions that end the flow as cancelled.
  package var cancels: [String] { (screen?.actions ?? []).filter { $0.role == .cancel }.map(\.id) }

  /// The shape of the form, for printing its answer; nil if it is not a form.
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

  /// Whether the script reports an error with the question, such as a value that it could not use.
  var reportsError: Bool { screen?.messages.contains { $0.level == .error } == true }

  /// The action of a form that takes its values.
  private var submission: String? { screen?.actions.first { $0.role == .primary }?.id }

  /// Whether a form accepts values, of which the secret ones are unknown.
  private func isValid(_ payload: [String: JSONValue]) -> Bool {
    guard let schema = screen?.form?.schema else { return false }
    // A secret may have any value, but its field must still be there, and be secret.
    let secrets = payload.filter { $0.value["secret"]?.boolean == true }.keys
    guard Set(secrets).isSubset(of: schema.secretFields) else { return false }
    let open = payload.filter { !secrets.contains($0.key) }
    return !schema.check(open).keys.contains { !secrets.contains($0) }
  }

  /// Returns the screen with an earlier answer as its suggestion: filled in or preselected, never sent; nil if there is no
  /// screen.
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

extension ScriptLog {
  /// Determines whether the result of a child must not become assignments.
  ///
  /// The child, not the script, determines the keys of its result. Keys that the script has named were checked in its request,
  /// and runs that began before keys could be named keep the earlier behavior.
  ///
  /// - Parameter index: the index of the child's entry.
  /// - Returns: the reason; nil if it may, or if it is printed in another way.
  package func unprintable(at index: Int) -> ScriptCrash? {
    guard features.contains(.assignments), let entry = entries[safe: index], entry.style == .assignments, let child = entry.child,
      child.keys == nil, case .finished(let result) = child.ending
    else { return nil }
    var known: [ShellVariable: String] = [:]
    for key in result.open.keys.sorted() {
      let variable = ShellVariable(of: key)
      let problem: String? =
        if variable.isReserved {
          "has \(key.debugDescription), which would set the variable \(variable.name)"
        } else if let other = known.updateValue(key, forKey: variable) {
          "has \(other.debugDescription) and \(key.debugDescription), which would set the same variable"
        } else {
          nil
        }
      guard let problem else { continue }
      return ScriptCrash("the result of \(child.flow) \(problem); name the keys: --assignments=KEY,KEY", at: entry.place)
    }
    return nil
  }
}

extension [String: JSONValue] {
  /// The members that are not secret.
  var open: [String: JSONValue] { filter { $0.value["secret"]?.boolean != true } }
}

/// The output of an operation's process, and its exit status.
package struct ProcessOutput: Sendable, Hashable {
  package var text: String
  package var status: UInt8

  /// Creates an output.
  package init(_ text: String = "", status: UInt8 = 0) { (self.text, self.status) = (text, status) }
}

extension LogEntry {
  /// The output and the status of this operation's process; nil if the operation has not ended.
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

  /// What this operation's process tells the author on its standard error: why the engine has let a step fail, whose command did
  /// not run or may not have ended; nil for everything else.
  package var complaint: String? {
    guard case .failed(let error) = step?.ending, error.isOfEngine else { return nil }
    return "the \(body.word) '\(name)' has failed: \(error.message)"
  }
}

extension Question {
  /// Returns the output and the status of this question's process.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - style: how to print it.
  /// - Returns: the output.
  package func output(of answer: RecordedAnswer, as style: OutputStyle) -> ProcessOutput { answer.output(style, of: form) }
}

extension RecordedAnswer {
  /// The status of a question whose timeout has passed.
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

  /// `name='value'` for some members in the given order, empty for missing ones; or for all members.
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

/// How a process prints an answer, if its only way to return something is its output and its status.
package enum OutputStyle: String, Sendable, Hashable {
  /// Nothing; the status is 1 if the event is `no`.
  case status
  /// The event of a menu or a message; the rows of a list, one a line; the only value of a form.
  case value
  /// `name='value'` for each field, for `eval`.
  case assignments
  /// The whole answer.
  case json
}

/// The data about a form that are needed to print its answer.
package struct FormShape: Sendable, Hashable {
  /// The fields that are not secret, in the order of the screen.
  package var fields: [String]
  /// The action that takes the values.
  package var submission: String
  /// Whether the screen offers other actions.
  package var hasActions: Bool

  /// Creates a shape.
  package init(fields: [String], submission: String, hasActions: Bool) {
    (self.fields, self.submission, self.hasActions) = (fields, submission, hasActions)
  }
}
