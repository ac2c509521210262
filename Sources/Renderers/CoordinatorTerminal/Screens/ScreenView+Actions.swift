import CoordinatorKit
import RendererKit

/// Draws actions: the choices of a menu, and the buttons of other screens.
extension ScreenView {
  func appendChoices(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    var lines: [Line] = []
    var focus: Range<Int>?
    for (index, action) in screen.actions.enumerated() {
      let isFocused = drawing.isActive && stop == .action(index)
      let number = index < 9 && screen.actions.count > 1 ? "\(index + 1) " : ""
      let indent = drawing.symbols.pointer.columns + 1 + number.columns
      let look = isFocused ? Self.focusedLook(of: action, drawing) : Self.look(of: action)
      let first = lines.count
      for (row, text) in Self.label(of: action).wrapped(to: drawing.columns - indent).enumerated() {
        let pointer =
          isFocused && row == 0 ? drawing.symbols.pointer + " " : String(repeating: " ", count: indent - number.columns)
        let digit = row == 0 ? number : String(repeating: " ", count: number.columns)
        lines.append(
          Line([Span(pointer, drawing.focused), Span(digit, .quiet), Span(text, look, target: .action(index))]))
      }
      if let note = action.note?.printable, !note.isEmpty {
        lines += drawing.wrapped(note, .quiet, indent: indent + 2, target: .action(index))
      }
      if isFocused { focus = first..<lines.count }
    }
    page.append(lines, spaced: spaced)
    guard let focus else { return }
    let shift = page.middle.count - lines.count
    page.focus = focus.lowerBound + shift..<focus.upperBound + shift
    page.cursor = Position(column: 0, row: focus.lowerBound + shift)
  }

  /// Returns the label of an action in a menu. A destructive action is recognizable without color.
  private static func label(of action: Action) -> String {
    (action.role == .destructive ? danger : "") + action.title.printable
  }

  private static func look(of action: Action) -> Look {
    guard action.disabled == nil else { return .quiet }
    return switch action.role {
    case .primary: .strong
    case .normal: .plain
    case .cancel: .quiet
    case .destructive: Look(colour: .red)
    }
  }

  private static func focusedLook(of action: Action, _ drawing: Drawing) -> Look {
    action.disabled == nil ? drawing.focused : drawing.focused.with(.dim)
  }

  /// Returns the explanations of the buttons, or the reasons why they cannot be chosen now, to show above them.
  func notes(_ drawing: Drawing) -> [Line] {
    screen.actions.flatMap { action -> [Line] in
      guard let note = action.note?.printable, !note.isEmpty else { return [] }
      return drawing.wrapped(Text("{label}: {text}", ["label": action.title.printable, "text": note]).string, .quiet)
    }
  }

  /// Returns the actions side by side, in as many rows as necessary, and the position of the focused one.
  func buttons(_ drawing: Drawing) -> ([Line], Position?) {
    var rows: [Line] = []
    var cursor: Position?
    var row = Line()
    for (index, action) in screen.actions.enumerated() {
      let isFocused = drawing.isActive && stop == .action(index)
      let room = drawing.columns - Self.button("", of: action).columns
      let title = action.title.printable.truncated(to: room, ellipsis: drawing.symbols.ellipsis)
      let button = Span(
        Self.button(title, of: action), isFocused ? Self.pressed(action, drawing) : Self.look(of: action), target: .action(index))
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

  private static func pressed(_ action: Action, _ drawing: Drawing) -> Look {
    guard action.disabled == nil else { return Look([.dim, .reversed]) }
    // A button in a red accent would look like a destructive one.
    let accent = drawing.accent.readsAsDanger ? nil : drawing.accent
    return Look([.bold, .reversed], colour: action.role == .destructive ? .red : accent)
  }

  /// The sign before a destructive action. Help explains it.
  static let danger = "! "

  /// Returns a title as a button, which looks the same everywhere; a destructive one has a sign.
  static func button(_ title: String, of action: Action? = nil) -> String {
    (action?.role == .destructive ? "[" + danger : "[ ") + title + " ]"
  }
}

/// Draws answers under review.
extension ScreenView {
  func appendReview(to page: inout Page, _ drawing: Drawing, spaced: Bool) {
    guard !screen.review.isEmpty else { return }
    let changeable = Set(screen.changeableRows)
    let titles = screen.review.map { $0.title.printable.columns }.max() ?? 0
    var lines: [Line] = []
    var focus: Range<Int>?
    var cursor: Position?
    for (index, row) in screen.review.enumerated() {
      let isFocused = drawing.isActive && stop == .review(index)
      let button = changeable.contains(index) ? Self.button(index, isFocused, drawing) : nil
      let block = Self.block(row, titles: titles, button, drawing)
      if isFocused {
        focus = lines.count..<lines.count + block.count
        cursor = Position(column: max(drawing.columns - (button?.text.columns ?? 0), 0), row: lines.count)
      }
      lines += block
    }
    page.append(lines, spaced: spaced)
    let shift = page.middle.count - lines.count
    guard let focus, let cursor else { return }
    page.focus = focus.lowerBound + shift..<focus.upperBound + shift
    page.cursor = Position(column: cursor.column, row: cursor.row + shift)
  }

  private static func button(_ index: Int, _ isFocused: Bool, _ drawing: Drawing) -> Span {
    let look = isFocused ? Look([.bold, .reversed], colour: drawing.accent) : .plain
    return Span(button(ReviewRow.changeTitle), look, target: .review(index))
  }

  /// Returns the lines of a row: title and value side by side if there is room, otherwise the value below its title. The button
  /// is at the end of the first line.
  private static func block(_ row: ReviewRow, titles: Int, _ button: Span?, _ drawing: Drawing) -> [Line] {
    let title = row.title.printable
    let edge = Self.button(ReviewRow.changeTitle).columns
    let values = row.value.isEmpty ? [drawing.symbols.nothing] : row.value.printableLines
    let room = drawing.columns - titles - 2 - edge - 2
    var lines: [Line]
    if room >= 16, titles <= drawing.columns / 2 {
      lines = values.flatMap { $0.wrapped(to: room) }.enumerated().map { number, text in
        Line([Span((number == 0 ? title : "").padded(to: titles + 2), .quiet), Span(text)])
      }
    } else {
      lines =
        title.wrapped(to: drawing.columns - edge - 2).map { Line($0, .quiet) }
        + values.flatMap { drawing.wrapped($0, indent: 2) }
    }
    if let button, let first = lines.first {
      let gap = drawing.columns - first.columns - button.text.columns
      lines[0].spans += [Span(String(repeating: " ", count: max(gap, 1))), button]
    }
    return lines
  }
}
