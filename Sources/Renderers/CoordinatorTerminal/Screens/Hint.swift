import CoordinatorKit
import Languages
import RendererKit

/// A short description of a key.
struct Hint: Sendable, Hashable {
  var key: String
  var meaning: String
  /// The priority of the hint: the lower the rank, the less room it needs to be shown.
  var rank: Int

  init(_ key: String, _ meaning: Text, rank: Int = 5) {
    self.key = key
    self.meaning = meaning.string
    self.rank = rank
  }

  var columns: Int { key.columns + 1 + meaning.columns }
}

extension ScreenView {
  /// Whether letters are text input at the current stop.
  var isTyping: Bool {
    switch stop {
    case .list: true
    case .field(let index): form.fields[safe: index]?.takesText == true
    case .action: screen.kind == .list && stops.contains(.list)
    case .review, nil: false
    }
  }

  /// Whether letters are text anywhere on the screen. If so, no letter has another meaning, because it would depend on the
  /// focus.
  var takesLetters: Bool { screen.isFillable || stops.contains(.list) }

  /// Whether Esc clears the filter of the list, or of the choices of a field.
  var isFiltered: Bool {
    if case .field(let index) = stop, case .choice(let picker)? = form.fields[safe: index]?.content {
      return !picker.filter.isEmpty
    }
    return stop == .list && rows.list?.filter.isEmpty == false
  }

  /// Returns the hint for the arrow keys in a long text, with the part of the text that has been seen.
  private func scrollHint(_ symbols: Symbols) -> Hint {
    let percent = Percentage.text(of: Double(scroll.percent) / 100)
    // TRANSLATORS: What the arrow keys do, and how much of the text has been seen, such as "scroll 35%".
    return Hint(symbols.keys.upDown, Text("scroll {percent}", ["percent": percent], context: "key"))
  }

  /// Returns the hints for picking one of several rows: while a filter is typed, a blank is a part of it.
  private func pickHints(isTyping: Bool, _ symbols: Symbols) -> [Hint] {
    let space = Text("Space", context: "key").string
    let move = symbols.keys.upDown
    return isTyping
      ? [Hint("\(move) \(space)", Text("pick", context: "key"), rank: 2)]
      : [Hint(space, Text("pick", context: "key"), rank: 2), Hint(move, Text("move", context: "key"))]
  }

  /// Returns the hints for the most important keys at the current stop.
  func hints(_ symbols: Symbols) -> [Hint] {
    let keys = symbols.keys
    switch stop {
    case .list where rows.several != nil:
      return [Hint("Enter", Text("send", context: "key"))] + pickHints(isTyping: rows.list?.takesBlank == true, symbols)
        + (screen.actions.isEmpty ? [] : [Hint("Tab", Text("buttons", context: "key"))])
    case .review:
      return [
        Hint("Enter", Text("change", context: "key")), Hint(keys.upDown, Text("move", context: "key")),
        Hint("Tab", Text("next", context: "key")),
      ]
    case .list:
      return [Hint("Enter", Text("choose", context: "key")), Hint(keys.upDown, Text("move", context: "key"))]
        + (screen.actions.isEmpty ? [] : [Hint("Tab", Text("buttons", context: "key"))])
    case .field(let index):
      let isLast = form.isLast(index)
      let send = Hint("Enter", isLast ? Text("send", context: "key") : Text("next", context: "key"))
      return switch form.fields[safe: index]?.content {
      case .flag:
        [
          send, Hint(Text("Space", context: "key").string, Text("yes/no", context: "key"), rank: 2),
          Hint("Tab", Text("next", context: "key")),
        ]
      case .choice(let picker) where picker.isMultiple: [send] + pickHints(isTyping: picker.takesBlank, symbols)
      case .choice: [send, Hint(keys.upDown, Text("move", context: "key"))]
      case .text(let editor) where editor.hasLines:
        [send, Hint("^O", Text("new line", context: "key"), rank: 2)]
          + (isLast ? [Hint("Tab", Text("buttons", context: "key"))] : [])
      case .text(let editor) where editor.isSecret && form.fields[index].field.schema.isRevealable:
        [send, Hint("^R", editor.isRevealed ? Text("hide", context: "key") : Text("show", context: "key"), rank: 2)]
          + (isLast ? [Hint("Tab", Text("buttons", context: "key"))] : [])
      default: [send] + (isLast ? [Hint("Tab", Text("buttons", context: "key"))] : [])
      }
    case .action:
      if screen.kind == .menu {
        return [Hint("Enter", Text("choose", context: "key"))]
          + (screen.actions.count > 1 ? [Hint(keys.upDown, Text("move", context: "key"))] : [])
      }
      let move = stops.count > 1 ? [Hint("Tab", Text("next", context: "key"))] : []
      return [Hint("Enter", Text("choose", context: "key"))] + move
        + (scroll.isNeeded ? [scrollHint(symbols)] : [])
    case nil:
      return (stops.isEmpty ? [] : [Hint("Tab", Text("buttons", context: "key"))])
        + (scroll.isNeeded ? [scrollHint(symbols)] : [])
    }
  }
}

extension Hint {
  /// Returns the line with the most useful hints, as many as fit.
  static func line(_ hints: [Hint], columns: Int, _ symbols: Symbols) -> Line {
    var width = -symbols.separator.columns
    var shown: Set<Hint> = []
    for hint in hints.sorted(by: { $0.rank < $1.rank }) where width + symbols.separator.columns + hint.columns <= columns {
      width += symbols.separator.columns + hint.columns
      shown.insert(hint)
    }
    var line = Line()
    for hint in hints where shown.contains(hint) {
      if !line.spans.isEmpty { line.spans.append(Span(symbols.separator, .quiet)) }
      line.spans += [Span(hint.key, .strong), Span(" " + hint.meaning, .quiet)]
    }
    return line
  }
}

/// Draws screens.
extension ScreenView {
  /// Returns the lines of the screen. Blocks are separated by blank lines if there is room for them, or if the screen scrolls
  /// anyway.
  mutating func page(_ drawing: Drawing) -> Page {
    var drawing = drawing
    drawing.accent = Look.Colour(accent: screen.accent) ?? drawing.accent
    let spaced = page(drawing, spaced: true)
    guard spaced.rows > drawing.size.rows else { return spaced }
    let dense = page(drawing, spaced: false)
    return dense.rows <= drawing.size.rows || drawing.size.rows < 12 ? dense : spaced
  }

  private mutating func page(_ drawing: Drawing, spaced: Bool) -> Page {
    var page = Page()
    page.top = heading(drawing)
    guard isSupported else {
      page.append(drawing.wrapped(Screen.cannotBeShown), spaced: spaced)
      return page
    }
    let (buttons, cursor) = screen.kind == .menu ? ([], nil) : self.buttons(drawing)
    let bottom = (screen.kind == .menu ? [] : notes(drawing)) + buttons
    let room = drawing.size.rows - page.top.count - bottom.count - 1
    for part in ScreenPart.allCases {
      switch part {
      case .title: break
      case .messages: page.append(messages(drawing), spaced: spaced)
      case .text: page.append(text(drawing), spaced: spaced)
      case .picture: page.append(picture(drawing, rows: room), spaced: spaced)
      case .progress: page.append(progress(drawing), spaced: spaced)
      case .countdown: appendCountdown(to: &page, drawing, spaced: spaced)
      case .review: appendReview(to: &page, drawing, spaced: spaced)
      case .answer: appendAnswer(to: &page, drawing, spaced: spaced)
      }
    }
    if screen.progress != nil, screen.progress?.fraction == nil { page.isMoving = true }
    page.bottom = spaced && !bottom.isEmpty ? [.blank] + bottom : bottom
    if let cursor {
      page.cursor = Position(column: cursor.column, row: page.middle.count + page.bottom.count - buttons.count + cursor.row)
    }
    return page
  }

  private func appendCountdown(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    guard let now = drawing.now, let countdown = Countdown(of: screen, at: now) else { return }
    page.append(drawing.wrapped(countdown.sentence, .quiet), spaced: spaced)
    page.nextChange = countdown.nextChange
  }

  private mutating func appendAnswer(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    switch screen.kind {
    case .menu: appendChoices(to: &page, drawing, spaced: spaced)
    case .form: appendFields(to: &page, drawing, spaced: spaced)
    case .list: appendRows(to: &page, drawing, spaced: spaced)
    case .message, .progress: break
    }
  }

  /// Returns the messages of the screen, except for those about a field, which appear next to it.
  private func messages(_ drawing: Drawing) -> [Line] {
    let fields = Set(form.shown.map { form.fields[$0].field.name })
    return screen.messages.filter { $0.field.map(fields.contains) != true }
      .flatMap { drawing.message($0.level, $0.text) }
  }

  private func progress(_ drawing: Drawing) -> [Line] {
    guard let progress = screen.progress else { return [] }
    let symbols = drawing.symbols
    let text = progress.text?.printable ?? ""
    guard let fraction = progress.fraction else {
      let beat = symbols.spinner[safe: drawing.beat % max(symbols.spinner.count, 1)] ?? ""
      return [
        Line([
          Span(beat + " ", drawing.focused), Span(text.isEmpty ? Text("Working{dots}", ["dots": symbols.ellipsis]).string : text),
        ])
      ]
    }
    let percent = " " + Percentage.text(of: fraction)
    let width = max(min(40, drawing.columns - 5), 1)
    let done = Int((fraction * Double(width)).rounded(.down))
    let bar = Line([
      Span(String(repeating: symbols.full, count: done), Look(colour: drawing.accent)),
      Span(String(repeating: symbols.empty, count: width - done), .quiet), Span(percent),
    ])
    return (text.isEmpty ? [] : drawing.wrapped(text)) + [bar]
  }
}
