import CoordinatorKit
import Platform

extension DialogBox {
  /// The box as a screen.
  package var question: ProgramQuestion {
    var screen = Screen(screenName, kind: shownKind, title: shownTitle)
    addText(to: &screen)
    screen.step = [backTitle, title].lazy.compactMap { $0.flatMap(DialogLook.step(in:)) }.first
    var shown = buttons
    switch screen.kind {
    case .list:
      screen.items = shownItems
      screen.choosing = choosing
      shown.removeAll { $0.role == .okay }
    case .form: addFields(to: &screen)
    case .menu, .message, .progress: break
    }
    if isEntered, !has(.okay) { shown.insert(DialogButton(.okay, "OK"), at: 0) }
    screen.actions = shown.compactMap { action($0) }
    if kind == .confirmation { screen = screen.defaulting(to: id(of: defaultButton)) }
    var question = ProgramQuestion(screen: screen, allowsBack: cancelsBack)
    question.timeout = timeout
    return question
  }

  private var shownKind: Screen.Kind {
    switch kind {
    case .message, .document: .message
    case .confirmation: .menu
    case .menu, .radioList, .checkList: takesValue ? .list : .message
    case .entry, .editor, .range, .form: takesValue ? .form : .message
    }
  }

  /// Whether the user fills something in.
  private var isEntered: Bool {
    switch kind {
    case .entry, .editor, .range, .form: true
    case .message, .document, .confirmation, .menu, .radioList, .checkList: false
    }
  }

  /// The box as a screen that takes no answer.
  package func display(_ progress: GaugeProgress?) -> ProgramQuestion {
    var box = self
    if let text = progress?.text { box.text = text }
    var screen = Screen(screenName, kind: .progress, title: shownTitle)
    box.addText(to: &screen)
    screen.progress = Progress(fraction: progress.map { Double($0.percent) / 100 })
    return ProgramQuestion(screen: screen)
  }

  /// The box as a screen with the lines that a program has printed.
  func display(lines: ProgramText) -> ProgramQuestion {
    var question = display(nil)
    let shown = DialogText.body(lines)
    let heading = question.screen.body
    question.screen.body = heading.isEmpty ? shown : heading + "\n" + shown
    question.screen.markup = Markup(
      blocks: (heading.isEmpty ? [] : [Markup.Block(.paragraph, [Markup.Span(heading)])])
        + (shown.isEmpty ? [] : [Markup.Block(.verbatim, [Markup.Span(shown)])]))
    return question
  }

  private func id(of button: DialogButton.Role) -> String {
    switch button {
    case .okay: kind == .confirmation ? "yes" : "ok"
    case .cancel: kind == .confirmation ? "no" : "cancel"
    case .extra: "extra"
    case .help: "help"
    }
  }

  private func action(_ button: DialogButton) -> Action? {
    if button.role == .cancel, cancelsBack { return nil }
    let role: Action.Role
    switch (button.role, kind) {
    case (_, .confirmation): role = .normal
    case (.okay, _): role = .primary
    case (.cancel, _): role = .cancel
    default: role = .normal
    }
    let label = DialogText.line(button.label)
    return Action(id(of: button.role), verbatim: label.isEmpty ? button.role.usualLabel : label, role: role)
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

  private func addText(to screen: inout Screen) {
    let markup = DialogMarkup(text, isOn: hasMarkup)
    screen.body = DialogText.body(markup.plain).trimmed
    if case .document(let bytes) = kind {
      screen.body = DialogText.body(ProgramText(bytes))
      screen.markup = .verbatim(screen.body)
    } else if markup.isMarked {
      let spans = markup.pieces.map { Markup.Span(DialogText.body($0.text), $0.isStrong ? .strong : nil) }
      screen.markup = Markup(blocks: [Markup.Block(.paragraph, spans)])
    } else if DialogLook.isDrawn(DialogText.body(markup.plain)) {
      screen.markup = .verbatim(DialogText.body(markup.plain))
    }
    if case .form(let fields) = kind {
      let fixed = fields.filter { !$0.isEditable }.map { DialogText.line($0.label + " " + ($0.isHidden ? "" : $0.value)) }
      screen.body = ([screen.body] + fixed).filter { !$0.isEmpty }.joined(separator: "\n")
      if !fixed.isEmpty { screen.markup = nil }
    }
  }
}

extension Markup {
  /// Returns markup that keeps the lines as they are.
  fileprivate static func verbatim(_ text: String) -> Markup { Markup(blocks: [Block(.verbatim, [Span(text)])]) }
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

/// Recognizes steps and drawings in the text of a box.
enum DialogLook {
  /// Returns the place in a sequence from words such as "[Step 3/31]"; nil without such words.
  static func step(in text: ProgramText) -> Step? {
    let words = DialogText.line(text).bytes.lowercased.unicodeScalars.split { !($0.isWordPart || $0 == "/") }.map { String($0) }
    guard let index = words.firstIndex(of: "step"), index + 1 < words.count else { return nil }
    let rest = words[(index + 1)...].prefix(3)
    let numbers = rest.joined(separator: " ").bytes.replacing("/", with: " ").bytes.words.filter { $0 != "of" }.prefix(2).map {
      Int($0)
    }
    guard let number = numbers.first ?? nil, number > 0, number < 10_000 else { return nil }
    let isPair = rest.first?.bytes.contains("/") == true || rest.dropFirst().first == "of"
    guard isPair, numbers.count == 2, let count = numbers[1], count >= number, count < 10_000 else {
      return Step(number)
    }
    return Step(number, of: count)
  }

  /// Whether the columns of a text matter, because it contains box-drawing characters or is aligned with blanks.
  static func isDrawn(_ text: String) -> Bool {
    var blanks = 0
    var hasWords = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": (blanks, hasWords) = (0, false)
      case " ": blanks += 1
      case "\u{2500}"..."\u{259F}": return true
      default:
        if hasWords, blanks >= 3 { return true }
        (blanks, hasWords) = (0, true)
      }
    }
    return false
  }
}
