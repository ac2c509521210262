import CoordinatorKit
import Forms

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
    screen.add(action: "yes", "Yes", question.initial == "true" ? .primary : .normal)
    screen.add(action: "no", "No", question.initial == "false" ? .primary : .normal)
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
