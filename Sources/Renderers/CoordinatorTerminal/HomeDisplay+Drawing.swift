import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The layout of the front door: the list, the preview of the selected flow beside it, the notice, and the key hints.
extension HomeDisplay {
  /// The minimum width at which the preview is shown.
  private static let wide = 100
  /// The maximum width with and without the preview.
  private static let widest = (all: 160, list: 80)
  /// The interval in milliseconds at which the ages are updated and the renderers are read.
  private static let pause = 30_000

  mutating func drawn(in size: Size, at now: Timestamp) -> Frame {
    var frame = Frame(size)
    let hasPreview = size.columns >= Self.wide && size.rows >= 10
    let width = min(size.columns, hasPreview ? Self.widest.all : Self.widest.list)
    let margin = width >= 60 ? 2 : width >= 30 ? 1 : 0
    let all = Area(column: (size.columns - width) / 2, row: 0, columns: width, rows: size.rows).inset(columns: margin, rows: 0)
    let isRoomy = size.rows >= 16
    let above = isRoomy ? 1 : 0
    let hints = size.rows < 4 ? 0 : 1
    let below = hints + (size.rows > 3 ? 1 : 0)
    let content = Area(column: all.column, row: above, columns: all.columns, rows: max(size.rows - above - below, 0))
    if hasPreview {
      let left = min(max(content.columns / 2, 46), 76)
      drawList(into: &frame, Area(column: content.column, row: content.row, columns: left, rows: content.rows), now)
      let column = content.column + left + 3
      drawPreview(
        into: &frame, Area(column: column, row: content.row, columns: content.lastColumn - column + 1, rows: content.rows), now)
    } else {
      drawList(into: &frame, content, now)
    }
    if form != nil { drawForm(into: &frame, content, now) }
    if isHelping {
      frame.recede()
      let drawing = Drawing(symbols: symbols, size: content.inset(columns: 2, rows: 1).size, accent: accent)
      frame.drawInBox(HomeHelp(symbols: symbols).page(drawing), in: content, padding: 2, scroll: &helpScroll, symbols)
    }
    if let notice = currentNotice, below > hints {
      let drawing = Drawing(symbols: symbols, size: Size(columns: all.columns, rows: 1))
      if let line = drawing.message(notice.level, notice.text.truncated(to: all.columns - 2, ellipsis: symbols.ellipsis)).first {
        frame.write(line, column: all.column, row: size.rows - hints - 1, within: all)
      }
    }
    if frame.cursor == nil { frame.cursor = Position(column: content.column, row: content.row) }
    if hints > 0 {
      frame.write(
        Hint.line(currentHints, columns: all.columns, symbols), column: all.column, row: size.rows - 1, within: all)
    }
    frame.title = view.screen.title
    frame.nextChange = min(frame.nextChange ?? Self.pause, Self.pause)
    return frame
  }

  private var currentNotice: DisplayNotice? {
    if isAway { return DisplayNotice(.warning, Text("The service has left. Waiting for it to come back.")) }
    if starting != nil { return DisplayNotice(.info, Text("Starting")) }
    return notice
  }

  private mutating func drawList(into frame: inout Frame, _ area: Area, _ now: Timestamp) {
    let drawing = Drawing(symbols: symbols, size: area.size, isActive: form == nil && !isHelping, now: now, accent: accent)
    var page = view.page(drawing)
    if home == nil { page = Page(top: page.top) }
    view.draw(page, into: &frame, in: area, symbols: symbols)
  }

  private mutating func drawPreview(into frame: inout Frame, _ area: Area, _ now: Timestamp) {
    guard let selected, area.columns >= 24 else { return }
    if preview?.entry != selected { preview = HomePreview(of: selected, language: home?.language) }
    let inner = area.inset(columns: 2, rows: 1)
    frame.drawBox(area, symbols)
    preview?.draw(into: &frame, inner, Drawing(symbols: symbols, size: inner.size, now: now, accent: accent))
    frame.forgetTargets(in: area)
  }

  private mutating func drawForm(into frame: inout Frame, _ area: Area, _ now: Timestamp) {
    guard var form else { return }
    frame.recede()
    let padding = area.columns >= 60 ? 3 : 1
    let width = min(area.columns, 80)
    let place = Area(column: area.column + (area.columns - width) / 2, row: area.row, columns: width, rows: area.rows)
    let drawing = Drawing(
      symbols: symbols, size: place.inset(columns: padding, rows: 1).size, isActive: !isHelping, now: now, accent: accent)
    let page = form.view.page(drawing)
    form.view.drawInBox(page, into: &frame, in: place, padding: padding, symbols: symbols)
    self.form = form
  }

  private var currentHints: [Hint] {
    if isHelping {
      return [
        Hint(symbols.keys.upDown, Text("scroll", context: "key")),
        Hint(Text("any other key").string, Text("close", context: "key")),
      ]
    }
    let help = Hint("F1", Text("help", context: "key"), rank: 1)
    if let form { return form.view.hints(symbols) + [Hint("Esc", Text("back", context: "key"), rank: 2), help] }
    let enter: Text? =
      switch selected {
      case .running: Text("open", context: "key")
      case .startable: Text("start", context: "key")
      case nil: nil
      }
    let esc = Hint("Esc", view.isFiltered ? Text("clear", context: "key") : Text("leave", context: "key"), rank: 2)
    let move = Hint(symbols.keys.upDown, Text("move", context: "key"))
    return (enter.map { [Hint("Enter", $0, rank: 0), move] } ?? []) + [esc, help]
  }
}

extension Frame {
  /// Draws a page in a box that is as high as it needs to be, at the top of an area.
  mutating func drawInBox(_ page: Page, in area: Area, padding: Int, scroll: inout Scroll, _ symbols: Symbols) {
    let box = Area(column: area.column, row: area.row, columns: area.columns, rows: min(page.rows + 2, area.rows))
    drawBox(box, symbols)
    draw(page, in: box.inset(columns: padding, rows: 1), scroll: &scroll, symbols: symbols)
  }
}

/// The help screen of the front door.
struct HomeHelp: Sendable, Hashable {
  let symbols: Symbols

  func page(_ drawing: Drawing) -> Page {
    let keys = [
      ("Enter", Text("show the flow that runs, or start the flow").string),
      (Text("letters").string, Text("show only what contains these words").string),
      (symbols.keys.upDown, Text("move; also PgUp, PgDn, Home and End").string),
      ("Esc", Text("show everything again; otherwise leave: flows that run continue").string),
      ("^C", Text("leave").string),
      ("F1", Text("this help").string),
    ]
    var page = Page(top: [Line(Text("Keys").string, .strong)])
    let width = (keys.map(\.0.columns).max() ?? 0) + 2
    let lines = keys.flatMap { key, meaning in
      meaning.wrapped(to: max(drawing.columns - width, 8)).enumerated().map { row, text in
        Line([Span((row == 0 ? key : "").padded(to: width), drawing.focused), Span(text)])
      }
    }
    page.append(lines, spaced: lines.count + 2 <= drawing.size.rows)
    return page
  }
}

/// The preview of the flow selected on the front door, or its purpose.
struct HomePreview: Sendable {
  private enum Content: Sendable {
    case screen(ScreenView)
    case flow(FlowListing)
    case words(String)
  }

  /// The previewed entry.
  let entry: HomeEntry
  private let language: LanguageTag?
  private var content: Content
  private var scroll = Scroll()

  init(of entry: HomeEntry, language: LanguageTag?) {
    self.entry = entry
    self.language = language
    content =
      switch entry {
      case .startable(let flow): .flow(flow)
      case .running(let flow):
        flow.top.map { .screen(ScreenView($0)) }
          ?? .words(flow.place ?? Text("What this flow shows is not known.").string)
      }
  }

  /// Draws the preview into an area, in the same way as the flow itself.
  mutating func draw(into frame: inout Frame, _ area: Area, _ drawing: Drawing) {
    var drawing = drawing
    drawing.size = area.size
    drawing.isActive = false
    var page: Page
    switch content {
    case .screen(var view):
      page = view.page(drawing)
      content = .screen(view)
    case .flow(let flow): page = self.page(of: flow, drawing)
    case .words(let text): page = Page(top: drawing.wrapped(text, .quiet))
    }
    page.focus = nil
    page.cursor = nil
    page.isMoving = false
    frame.draw(page, in: area, scroll: &scroll, symbols: drawing.symbols)
  }

  private func page(of flow: FlowListing, _ drawing: Drawing) -> Page {
    var page = Page(top: drawing.wrapped(flow.readableTitle(in: language).text.printable, .strong))
    page.append(drawing.wrapped(flow.summary(in: language).text.printable), spaced: true)
    let fields = flow.input?.fields ?? []
    if !fields.isEmpty {
      let lines = fields.flatMap { field -> [Line] in
        let title = FieldText.title(of: field).printable
        return drawing.wrapped(drawing.symbols.dot + " " + title)
      }
      page.append([Line(Text("Asks before it starts for:").string, .quiet)] + lines, spaced: true)
    }
    page.append(drawing.wrapped(flow.name.printable, .quiet), spaced: true)
    return page
  }
}
