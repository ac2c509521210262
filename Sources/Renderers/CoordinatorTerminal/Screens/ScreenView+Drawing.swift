import CoordinatorKit
import RendererKit

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
