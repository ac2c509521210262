import Forms

extension DialogBox {
  /// The box as a screen.
  package var question: ProgramQuestion {
    var screen: [String: JSONValue] = ["name": .string(screenName), "title": .string(shownTitle)]
    addText(to: &screen)
    screen["step"] = [backTitle, title].lazy.compactMap { $0.flatMap(DialogLook.step(in:)) }.first
    var actions: [JSONValue] = []
    switch kind {
    case .message, .document:
      screen["kind"] = "message"
      actions = buttons.compactMap { action($0) }
    case .confirmation:
      screen["kind"] = "menu"
      actions = buttons.compactMap { action($0) }
    case .menu where takesValue, .radioList where takesValue, .checkList where takesValue:
      screen["kind"] = "list"
      screen["items"] = .array(shownItems)
      screen["choosing"] = choosing
      actions = buttons.filter { $0.role != .okay }.compactMap { action($0) }
    case .menu, .radioList, .checkList:
      screen["kind"] = "message"
      actions = buttons.compactMap { action($0) }
    case .entry, .editor, .range, .form:
      screen["kind"] = takesValue ? "form" : "message"
      if takesValue { addFields(to: &screen) }
      let primary = has(.okay) ? [] : [DialogButton(.okay, "OK")]
      actions = (primary + buttons).compactMap { action($0) }
    }
    screen["actions"] = .array(actions)
    var question = ProgramQuestion(screen: screen, allowsBack: cancelsBack)
    question.timeout = timeout
    return question
  }

  /// The box as a screen that needs no answer.
  package func display(_ progress: GaugeProgress?) -> ProgramQuestion {
    var box = self
    if let text = progress?.text { box.text = text }
    var screen: [String: JSONValue] = [
      "name": .string(screenName), "title": .string(shownTitle), "kind": "progress", "actions": [],
    ]
    box.addText(to: &screen)
    screen["progress"] = .object(progress.map { ["fraction": JSONValue(Double($0.percent) / 100)] } ?? [:])
    return ProgramQuestion(screen: screen)
  }

  /// The box as a screen with the lines that a program has printed.
  func display(lines: ProgramText) -> ProgramQuestion {
    var question = display(nil)
    let shown = DialogText.body(lines)
    let heading = question.screen["body"]?.string ?? ""
    question.screen["body"] = .string(heading.isEmpty ? shown : heading + "\n" + shown)
    let paragraph: JSONValue = ["kind": "paragraph", "spans": [["text": .string(heading)]]]
    let verbatim: JSONValue = ["kind": "verbatim", "spans": [["text": .string(shown)]]]
    question.screen["blocks"] = .array((heading.isEmpty ? [] : [paragraph]) + (shown.isEmpty ? [] : [verbatim]))
    return question
  }

  private func action(_ button: DialogButton) -> JSONValue? {
    let id: JSONValue
    switch button.role {
    case .okay: id = kind == .confirmation ? "yes" : "ok"
    case .cancel: id = kind == .confirmation ? "no" : "cancel"
    case .extra: id = "extra"
    case .help: id = "help"
    }
    if button.role == .cancel, cancelsBack { return nil }
    let role: JSONValue
    switch (button.role, kind) {
    case (.cancel, .confirmation), (.extra, .confirmation), (.okay, .confirmation), (.help, .confirmation):
      role = button.role == defaultButton ? "primary" : "normal"
    case (.okay, _): role = "primary"
    case (.cancel, _): role = "cancel"
    default: role = "normal"
    }
    let label = DialogText.line(button.label)
    return .object(["id": id, "title": .string(label.isEmpty ? button.role.usualLabel : label), "role": role])
  }

  /// The title of the box; if it has none, the backtitle or the title of the program, which may be empty.
  private var shownTitle: String {
    for candidate in [title, backTitle] {
      guard let candidate else { continue }
      let line = DialogText.line(DialogMarkup(candidate, isOn: hasMarkup).plain)
      if !line.isEmpty { return line }
    }
    return programTitle
  }

  private func addText(to screen: inout [String: JSONValue]) {
    let markup = DialogMarkup(text, isOn: hasMarkup)
    screen["body"] = .string(DialogText.body(markup.plain).trimmed)
    if case .document(let bytes) = kind {
      let text = ProgramText(bytes)
      screen["body"] = .string(DialogText.body(text))
      screen["blocks"] = [["kind": "verbatim", "spans": [["text": .string(DialogText.body(text))]]]]
    } else if markup.isMarked {
      let spans = markup.pieces.map { piece in
        var span: [String: JSONValue] = ["text": .string(DialogText.body(piece.text))]
        if piece.isStrong { span["style"] = "strong" }
        return JSONValue.object(span)
      }
      screen["blocks"] = [["kind": "paragraph", "spans": .array(spans)]]
    } else if DialogLook.isDrawn(DialogText.body(markup.plain)) {
      screen["blocks"] = [["kind": "verbatim", "spans": [["text": .string(DialogText.body(markup.plain))]]]]
    }
    if case .form(let fields) = kind {
      let fixed = fields.filter { !$0.isEditable }.map { DialogText.line($0.label + " " + ($0.isHidden ? "" : $0.value)) }
      let lines = [screen["body"]?.string ?? ""] + fixed
      screen["body"] = .string(lines.filter { !$0.isEmpty }.joined(separator: "\n"))
      if !fixed.isEmpty { screen["blocks"] = nil }
    }
  }
}

extension DialogButton.Role {
  fileprivate var usualLabel: String {
    switch self {
    case .okay: "OK"
    case .cancel: "Cancel"
    case .extra: "Extra"
    case .help: "Help"
    }
  }
}
