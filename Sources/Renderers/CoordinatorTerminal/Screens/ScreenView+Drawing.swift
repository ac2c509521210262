import CoordinatorKit
import RendererKit

/// The appearance of screens.
extension ScreenView {
  /// Returns the lines of the screen. Blocks are separated by blank lines if there is room for them, or if the screen
  /// has to scroll anyway.
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
    let colour = Look.Colour(accent: screen.accent)
    page.top = Array(drawing.wrapped(screen.title.printable, Look(.bold, colour: colour)).prefix(3))
    guard isSupported else {
      page.append(drawing.wrapped(Screen.cannotBeShown), spaced: spaced)
      return page
    }
    if !screen.readableBody.isEmpty {
      page.append(screen.readableBody.printableLines.flatMap { drawing.wrapped($0) }, spaced: spaced)
    }
    page.append(messages(drawing), spaced: spaced)
    page.append(progress(drawing), spaced: spaced)
    if let until = screen.until, let now = drawing.now {
      let countdown = Countdown(to: until, from: now)
      page.append(drawing.wrapped(countdown.sentence, .quiet), spaced: spaced)
      page.nextChange = countdown.nextChange
    }
    if screen.progress != nil, screen.progress?.fraction == nil { page.isMoving = true }
    switch screen.kind {
    case .menu: appendChoices(to: &page, drawing, spaced: spaced)
    case .form: appendFields(to: &page, drawing, spaced: spaced)
    case .list: appendRows(to: &page, drawing, spaced: spaced)
    case .message, .progress: break
    }
    if screen.kind != .menu {
      let (buttons, cursor) = buttons(drawing)
      page.bottom = spaced && !buttons.isEmpty ? [.blank] + buttons : buttons
      if let cursor {
        page.cursor = Position(column: cursor.column, row: page.middle.count + page.bottom.count - buttons.count + cursor.row)
      }
    }
    return page
  }

  /// Returns the messages of the screen, except for those about a field, which appear next to it.
  private func messages(_ drawing: Drawing) -> [Line] {
    let fields = Set(shownFields.map { self.fields[$0].field.name })
    return screen.messages.filter { $0.field.map(fields.contains) != true }
      .flatMap { drawing.message($0.level, $0.text) }
  }

  private func progress(_ drawing: Drawing) -> [Line] {
    guard let progress = screen.progress else { return [] }
    let symbols = drawing.symbols
    let text = progress.text?.printable ?? ""
    guard let fraction = progress.fraction else {
      let beat = symbols.spinner[safe: drawing.beat % max(symbols.spinner.count, 1)] ?? ""
      return [Line([Span(beat + " ", drawing.focused), Span(text.isEmpty ? "Working" + symbols.ellipsis : text)])]
    }
    let percent = " \(Int((fraction * 100).rounded(.down)))%"
    let width = max(min(40, drawing.columns - 5), 1)
    let done = Int((fraction * Double(width)).rounded(.down))
    let bar = Line([
      Span(String(repeating: symbols.full, count: done), Look(colour: drawing.accent)),
      Span(String(repeating: symbols.empty, count: width - done), .quiet), Span(percent),
    ])
    return (text.isEmpty ? [] : drawing.wrapped(text)) + [bar]
  }

  // MARK: Actions

  private func appendChoices(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    var lines: [Line] = []
    var focus: Range<Int>?
    for (index, action) in screen.actions.enumerated() {
      let isFocused = drawing.isActive && stop == .action(index)
      let number = index < 9 && screen.actions.count > 1 ? "\(index + 1) " : ""
      let indent = drawing.symbols.pointer.columns + 1 + number.count
      let look = isFocused ? drawing.focused : Self.look(of: action)
      let first = lines.count
      for (row, text) in Self.label(of: action).wrapped(to: drawing.columns - indent).enumerated() {
        let pointer = isFocused && row == 0 ? drawing.symbols.pointer + " " : String(repeating: " ", count: indent - number.count)
        let digit = row == 0 ? number : String(repeating: " ", count: number.count)
        lines.append(
          Line([Span(pointer, drawing.focused), Span(digit, .quiet), Span(text, look, target: .action(index))]))
      }
      if isFocused { focus = first..<lines.count }
    }
    page.append(lines, spaced: spaced)
    let shift = page.middle.count - lines.count
    page.focus = focus.map { $0.lowerBound + shift..<$0.upperBound + shift }
    page.cursor = page.focus.map { Position(column: 0, row: $0.lowerBound) }
  }

  /// Returns the label of an action in a menu. Its role is recognizable without color.
  private static func label(of action: Action) -> String {
    let title = action.readableTitle.printable
    return switch action.role {
    case .destructive: "! " + title
    case .cancel: "(" + title + ")"
    case .primary, .normal: title
    }
  }

  private static func look(of action: Action) -> Look {
    switch action.role {
    case .primary: .strong
    case .normal: .plain
    case .cancel: .quiet
    case .destructive: Look(colour: .red)
    }
  }

  /// Returns the actions side by side, in as many rows as necessary, and the position of the focused one.
  private func buttons(_ drawing: Drawing) -> ([Line], Position?) {
    var rows: [Line] = []
    var cursor: Position?
    var row = Line()
    for (index, action) in screen.actions.enumerated() {
      let isFocused = drawing.isActive && stop == .action(index)
      let (before, after) = Self.edges(of: action, drawing.symbols)
      let room = drawing.columns - before.columns - after.columns
      let title = action.readableTitle.printable.truncated(to: room, ellipsis: drawing.symbols.ellipsis)
      let look =
        isFocused ? Look([.bold, .reversed], colour: action.role == .destructive ? .red : drawing.accent) : Self.look(of: action)
      let button = Span(before + title + after, look, target: .action(index))
      if !row.spans.isEmpty, row.columns + 2 + button.text.columns > drawing.columns {
        rows.append(row)
        row = Line()
      }
      if !row.spans.isEmpty { row.spans.append(Span("  ")) }
      if isFocused { cursor = Position(column: row.columns, row: rows.count) }
      row.spans.append(button)
    }
    return (row.spans.isEmpty ? rows : rows + [row], cursor)
  }

  /// Returns the edges of a button, which show the role of its action.
  private static func edges(of action: Action, _ symbols: Symbols) -> (String, String) {
    switch action.role {
    case .primary: ("[ ", " ]")
    case .normal: symbols.normalButton
    case .cancel: ("( ", " )")
    case .destructive: ("[! ", " ]")
    }
  }
}
