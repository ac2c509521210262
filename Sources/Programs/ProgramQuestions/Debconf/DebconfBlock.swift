import CoordinatorKit
import Forms
import Platform

/// The questions that debconf asks together, as one screen.
package struct DebconfBlock: Sendable, Hashable {
  /// The number of the block in its connection, counted from 1; a block that is asked again after Back gets a new number.
  package let id: Int
  /// The package that is being configured; empty if debconf has not named it.
  package let section: String
  /// The title that the package has set, such as "Configuring tzdata".
  package let title: String
  /// The questions in the order in which they are answered; at least one.
  package let questions: [DebconfQuestion]
  /// Whether the package can go back to the previous block.
  package let allowsBack: Bool

  /// The name of the screen, which answers files use: the tag of the first question that asks for a value, after the section
  /// unless the tag begins with the section.
  package var name: String {
    let tag = (questions.first { !$0.type.isShownOnly } ?? questions.first)?.tag ?? ""
    return section.isEmpty || tag.bytes.hasPrefix(section + "/") ? tag : "\(section)/\(tag)"
  }

  /// Whether all questions are notes or similar, so that any answer is valid.
  package var isShownOnly: Bool { questions.allSatisfy(\.type.isShownOnly) }

  /// The question as a screen.
  package var question: ProgramQuestion { ProgramQuestion(screen: screen, allowsBack: allowsBack) }

  /// The question of a block that needs no form; nil if there are several questions, or the only one takes text.
  var only: DebconfQuestion? {
    guard questions.count == 1, let question = questions.first else { return nil }
    switch question.type {
    case .string, .password: return nil
    case .select: return question.choices.isEmpty ? nil : question
    case .boolean, .multiselect, .note, .text, .error, .title, .unknown: return question
    }
  }
}

extension DebconfBlock {
  /// The screen: a menu, list or message for one question, otherwise a form.
  var screen: Screen {
    guard let question = only else { return form }
    var screen = ForeignScreen(kind(of: question), name: name, title: heading)
    if question.type == .error {
      screen.add(message: question.summary, .error, code: "debconf")
    } else {
      screen.add(paragraph: question.summary, isStrong: true)
    }
    screen.add(ForeignProse(question.details))
    switch question.type {
    case .boolean: addChoices(of: question, to: &screen)
    case .select, .multiselect: addItems(of: question, to: &screen)
    default: screen.add(action: Self.submission, "OK", .primary)
    }
    return screen.screen
  }

  /// The id of the action that sends a form or acknowledges a message.
  static let submission = "okay"

  private var heading: String {
    if !title.isEmpty { return title }
    return section.isEmpty ? "debconf" : section
  }

  private func kind(of question: DebconfQuestion) -> Screen.Kind {
    switch question.type {
    case .boolean: .menu
    case .select, .multiselect: .list
    default: .message
    }
  }

  private func addChoices(of question: DebconfQuestion, to screen: inout ForeignScreen) {
    screen.add(action: "yes", "Yes", .normal)
    screen.add(action: "no", "No", .normal)
    let initial = question.initial.flatMap { ["true": "yes", "false": "no"][$0] }
    screen.change { $0.defaultChoice = initial }
  }

  private func addItems(of question: DebconfQuestion, to screen: inout ForeignScreen) {
    let options = question.options
    let initial = question.initialOptions
    let choosing = Choosing(initial: initial, count: question.type == .multiselect ? 0...options.count : nil)
    screen.change { screen in
      screen.items = options.map(\.item)
      if !initial.isEmpty || choosing.count != nil { screen.choosing = choosing }
    }
  }

  private var form: Screen {
    let fields = questions.filter { !$0.type.isShownOnly }
    var screen = ForeignScreen(fields.isEmpty ? .message : .form, name: name, title: heading)
    for question in questions where question.type.isShownOnly {
      if question.type == .error {
        screen.add(message: question.summary, .error, code: "debconf")
      } else {
        screen.add(paragraph: question.summary, isStrong: true)
      }
      screen.add(ForeignProse(question.details))
    }
    // The details of a single field become the screen's body; in a form with several fields, each field shows its own.
    if fields.count == 1, let question = fields.first { screen.add(ForeignProse(question.details)) }
    if !fields.isEmpty { screen.set(fields: fields.map { field(for: $0, isAlone: fields.count == 1) }) }
    screen.add(action: Self.submission, "OK", .primary)
    return screen.screen
  }

  private func field(for question: DebconfQuestion, isAlone: Bool) -> ForeignField {
    var summary = isAlone ? "" : ForeignProse(question.details).plain
    func add(_ sentence: String) { summary += (summary.isEmpty ? "" : "\n\n") + sentence }
    if question.keepsPassword { add("Leave it empty to keep the present one.") }
    let options = question.options
    let open = options.filter { $0.disabled == nil }
    if open.count < options.count {
      add(
        "Not offered, because debconf cannot read a choice with a comma in it: "
          + options.filter { $0.disabled != nil }.map(\.title).joined(separator: "; "))
    }
    let initial = question.initialOptions.map { JSONValue.string($0) }
    let (kind, value): (ForeignField.Kind, JSONValue?) =
      switch question.type {
      case .boolean: (.boolean, .boolean(question.initial == "true"))
      case .password: (.secret, nil)
      case .select where !open.isEmpty: (.choice(open, severalAllowed: false), initial.first)
      case .multiselect where !open.isEmpty: (.choice(open, severalAllowed: true), .array(initial))
      default: (.text, question.initial.map { .string(ForeignText($0).line) })
      }
    return ForeignField(question.field, kind, title: question.summary, summary: summary, value: value)
  }
}

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
  func entered(_ text: String) -> JSONValue? {
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

/// A user's answer to a question of a program.
package enum ProgramAnswer: Sendable, Hashable {
  /// An event that the screen offers. The secret values are the UTF-8 bytes typed into the fields of these names, which the
  /// payload does not contain.
  case event(String, payload: [String: JSONValue], secrets: [String: [UInt8]])
  /// Back to the previous question.
  case back
}

/// The reason why debconf cannot take an answer. The block stays open.
package enum DebconfAnswerError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The block with this id is not open: it has been answered, or has not been asked yet.
  case notOpen(id: Int)
  /// The package cannot go back.
  case cannotGoBack
  /// The screen offers no such event.
  case unknownEvent(String)
  /// The value of the field is missing, is of another type, or is not among the choices.
  case unsuitable(field: String)

  package var description: String {
    switch self {
    case .notOpen(let id): "debconf does not wait for an answer to block \(id)"
    case .cannotGoBack: "this package cannot go back"
    case .unknownEvent(let event): "the screen does not offer '\(ForeignText(event).line)'"
    case .unsuitable(let field): "the value of '\(ForeignText(field).line)' is missing or not among the choices"
    }
  }
}

/// Parses the lists of choices and values in debconf's lines.
enum DebconfChoices {
  /// Splits a list of choices as debconf does: at a comma followed by blanks; a backslash escapes either.
  static func split(_ text: String) -> [String] {
    var items: [String] = []
    var item: [UInt8] = []
    var rest = text.utf8[...]
    func end() {
      items.append(String(decoding: item, as: UTF8.self))
      item = []
    }
    while let first = rest.popFirst() {
      if first == UInt8(ascii: "\\"), let next = rest.first, ", ".utf8.contains(next) {
        item.append(rest.removeFirst())
      } else if first == UInt8(ascii: ","), rest.first?.isASCIISpace == true {
        rest = rest.drop(while: \.isASCIISpace)
        end()
      } else {
        item.append(first)
      }
    }
    if !item.isEmpty { end() }
    return items
  }

  /// Returns those choices that the value of a multiselect contains. debconf joins the value without escapes, so choices with
  /// commas are matched first.
  static func selected(in value: String, of choices: [String]) -> Set<String> {
    let byLength = choices.sorted { $0.utf8.count > $1.utf8.count }
    var selected: Set<String> = []
    var rest = Substring(value)
    while !rest.isEmpty {
      if let choice = byLength.first(where: { rest.bytes.equals($0) || rest.bytes.hasPrefix($0 + ", ") }) {
        selected.insert(choice)
        rest = rest.bytes.dropping(prefix: choice + ", ") ?? ""
      } else {
        rest = rest.bytes.cut(at: ", ")?.after ?? ""
      }
    }
    return selected
  }

  /// Whether a choice of a multiselect can be answered: debconf splits the answer at each comma followed by a blank, and
  /// ignores escapes (trap T5).
  static func isAnswerable(_ choice: String) -> Bool { !choice.bytes.contains(", ") && !choice.isEmpty }
}
