import CoordinatorBus
import CoordinatorKit
import RendererKit

/// The overall layout: the breadcrumb, the screen with the screens that it covers, the notice, and the key hints.
extension Display {
  /// The maximum width, in columns. Longer lines are hard to read.
  private static let widest = 80

  mutating func drawn(in size: Size) -> Frame {
    var frame = Frame(size)
    let width = min(size.columns, Self.widest)
    let margin = width >= 60 ? 2 : width >= 30 ? 1 : 0
    let all = Area(column: (size.columns - width) / 2, row: 0, columns: width, rows: size.rows).inset(columns: margin, rows: 0)
    let isRoomy = size.rows >= 16
    let above = size.rows < 6 ? 0 : isRoomy ? 2 : 1
    let hints = size.rows < 4 ? 0 : 1
    let notice = currentNotice
    let below = hints + (isRoomy || (notice != nil && size.rows > 2) ? 1 : 0)
    let content = Area(column: all.column, row: above, columns: all.columns, rows: size.rows - above - below)
    drawLayers(into: &frame, content)
    if isHelping {
      frame.recede()
      drawHelp(into: &frame, content)
    }
    if phone.isShown {
      frame.recede()
      drawPhone(into: &frame, content)
    }
    if above > 1 { drawCompany(into: &frame, row: 1, all) }
    if above > 0 { frame.write(breadcrumb(columns: all.columns), column: all.column, row: 0, within: all) }
    if let notice, below > hints || hints == 0 {
      let row = size.rows - hints - 1
      frame.clear(Area(column: all.column, row: row, columns: all.columns, rows: 1))
      let drawing = Drawing(symbols: symbols, size: Size(columns: all.columns, rows: 1))
      if let line = drawing.message(notice.level, notice.text.truncated(to: all.columns - 2, ellipsis: symbols.ellipsis)).first {
        frame.write(line, column: all.column, row: row, within: all)
      }
    }
    if frame.cursor == nil, content.columns > 0, content.rows > 0 {
      frame.cursor = Position(column: content.column, row: content.row)
    }
    frame.title = windowTitle
    frame.progress = top?.screen.progress.map { $0.fraction.map { .percent(Percentage($0).number) } ?? .unknown }
    if hints > 0 { frame.write(hintLine(columns: all.columns), column: all.column, row: size.rows - 1, within: all) }
    return frame
  }

  private var currentNotice: DisplayNotice? {
    isAway ? DisplayNotice(.warning, ConnectionNews.lost) : notice
  }

  /// The title of the window: the progress of the work, the screen, and the product.
  private var windowTitle: String {
    let percent = top?.screen.progress?.fraction.map(Percentage.text)
    let parts = [percent, top?.screen.title, product ?? window?.screens.first?.screen.title].compactMap(\.self)
    var shown: [String] = []
    for part in parts where !part.isEmpty && !shown.contains(part) { shown.append(part) }
    return shown.joined(separator: " \(symbols.nothing) ")
  }

  // MARK: Layers

  private mutating func drawLayers(into frame: inout Frame, _ area: Area) {
    guard let window, let top = window.top else {
      drawNothing(into: &frame, area)
      return
    }
    // Only the top screen of each layer is visible.
    var layers: [PresentedScreen] = []
    for screen in window.screens {
      if layers.last?.layer == screen.layer { layers.removeLast() }
      layers.append(screen)
    }
    for (depth, screen) in layers.enumerated() {
      if depth > 0 { frame.recede() }
      var view = views[screen.id] ?? ScreenView(screen)
      draw(&view, depth: depth, isActive: screen.id == top.id && question == nil, into: &frame, area)
      if views[screen.id] != nil { views[screen.id] = view }
    }
    if var question {
      frame.recede()
      draw(&question.view, depth: layers.count, isActive: true, into: &frame, area)
      self.question = question
    }
  }

  private func drawNothing(into frame: inout Frame, _ area: Area) {
    let text = window?.heldSentence ?? Text("There is nothing to show at the moment.").string
    for (row, line) in text.wrapped(to: area.columns).prefix(area.rows).enumerated() {
      frame.write(Line(line, .quiet), column: area.column, row: area.row + row, within: area)
    }
  }

  private func draw(_ view: inout ScreenView, depth: Int, isActive: Bool, into frame: inout Frame, _ area: Area) {
    var drawing = Drawing(
      symbols: symbols, size: area.size, isActive: isActive && !isHelping, beat: beat, now: now,
      accent: accent)
    guard depth > 0, area.columns >= 24, area.rows >= 8 else {
      let page = view.page(drawing)
      if depth > 0 { frame.clear(area) }
      view.draw(page, into: &frame, in: area, symbols: symbols)
      return
    }
    let padding = area.columns >= 60 ? 3 : 2
    drawing.size = area.inset(columns: padding, rows: 1).size
    let page = view.page(drawing)
    // Each layer is placed further down, so that the titles below remain visible while there is room.
    let rows = min(page.rows + 2, area.rows)
    let columns = min(max(page.columns, 30) + 2 * padding, area.columns)
    let box = Area(
      column: area.column + (area.columns - columns) / 2, row: area.row + min(2 * depth, area.rows - rows), columns: columns,
      rows: rows)
    // Text that protrudes beside the box would be unreadable.
    frame.clear(Area(column: area.column, row: box.row, columns: area.columns, rows: rows))
    frame.drawBox(box, symbols)
    view.draw(page, into: &frame, in: box.inset(columns: padding, rows: 1), symbols: symbols)
  }

  private mutating func drawHelp(into frame: inout Frame, _ area: Area) {
    var scroll = helpScroll
    draw(into: &frame, area, scroll: &scroll) { [tree, symbols, isReachable] in
      Help(tree: tree, symbols: symbols, isReachable: isReachable).page($0)
    }
    helpScroll = scroll
  }

  private mutating func drawPhone(into frame: inout Frame, _ area: Area) {
    var scroll = phone.scroll
    draw(into: &frame, area, scroll: &scroll) { [state = phone.state] in PhoneView(state: state).page($0) }
    phone.scroll = scroll
  }

  /// Draws a page over everything else, in a box if there is room for one.
  private func draw(into frame: inout Frame, _ area: Area, scroll: inout Scroll, _ page: (Drawing) -> Page) {
    let hasBox = area.columns >= 24 && area.rows >= 8
    let room = hasBox ? area.inset(columns: 2, rows: 1) : area
    let page = page(Drawing(symbols: symbols, size: room.size))
    var inner = room
    if hasBox {
      let box = Area(column: area.column, row: area.row, columns: area.columns, rows: min(page.rows + 2, area.rows))
      frame.drawBox(box, symbols)
      inner = box.inset(columns: 2, rows: 1)
    } else {
      frame.clear(area)
    }
    frame.draw(page, in: inner, scroll: &scroll, symbols: symbols)
  }

  // MARK: Header and footer

  /// Returns the titles of the screens from the first to the top one. If there is too little room, the earliest titles
  /// are omitted.
  private func breadcrumb(columns: Int) -> Line {
    var titles = (window?.screens ?? []).map { $0.screen.title.printable }
    let name = tree.printable
    // The page itself shows the title of a single screen.
    let last = titles.count > 1 ? titles.removeLast() : ""
    if last.isEmpty { titles = [] }
    func path(_ titles: [String]) -> String { titles.map { $0 + symbols.crumb }.joined() }
    var isShortened = false
    func width() -> Int { path(titles).columns + (isShortened ? (symbols.ellipsis + symbols.crumb).columns : 0) + last.columns }
    while !titles.isEmpty, width() > columns {
      isShortened = true
      titles.removeFirst()
    }
    let before = (isShortened ? symbols.ellipsis + symbols.crumb : "") + path(titles)
    let current = last.truncated(to: columns - before.columns, ellipsis: symbols.ellipsis)
    let gap = columns - before.columns - current.columns - name.columns
    let end = gap >= 3 ? [Span(String(repeating: " ", count: gap) + name, .quiet)] : []
    return Line([Span(before, .quiet), Span(current)] + end)
  }

  /// Returns the hints for the most useful keys that fit.
  private func hintLine(columns: Int) -> Line {
    let hints =
      isHelping || phone.isShown
      ? [
        Hint(symbols.keys.upDown, Text("scroll", context: "key")),
        Hint(Text("any other key").string, Text("close", context: "key")),
      ] : self.hints
    return Hint.line(hints, columns: columns, symbols)
  }

  private var hints: [Hint] {
    if let question { return question.hints(for: leavingStep) }
    let view = top.flatMap { views[$0.id] }
    var hints = view?.hints(symbols) ?? []
    if !hints.isEmpty { hints[0].rank = 0 }
    if top?.back == true {
      hints.append(Hint("Esc", view?.isFiltered == true ? Text("clear", context: "key") : leavingStep.hint, rank: 3))
    }
    hints.append(Hint("F1", Text("help", context: "key"), rank: 1))
    if isReachable { hints.append(Hint("F2", Text("phone", context: "key"), rank: 6)) }
    return hints + [
      Hint(view?.takesLetters == true ? "^C" : "q", Text("leave", context: "key"), rank: 4)
    ]
  }
}

extension Frame {
  /// Draws a box, and clears its inside.
  mutating func drawBox(_ area: Area, _ symbols: Symbols) {
    clear(area)
    let box = symbols.box
    let rule = String(repeating: box.horizontal, count: max(area.columns - 2, 0))
    write(Line(box.topLeft + rule + box.topRight, .quiet), column: area.column, row: area.row, within: area)
    for row in area.row + 1..<max(area.lastRow, area.row + 1) {
      write(Line(box.vertical, .quiet), column: area.column, row: row, within: area)
      write(Line(box.vertical, .quiet), column: area.lastColumn, row: row, within: area)
    }
    write(Line(box.bottomLeft + rule + box.bottomRight, .quiet), column: area.column, row: area.lastRow, within: area)
  }
}

/// The help screen that F1 opens.
struct Help: Sendable, Hashable {
  let tree: String
  let symbols: Symbols
  /// Whether the flow may be continued on a phone.
  let isReachable: Bool

  private var keys: [(String, Text)] {
    let phone: [(String, Text)] = isReachable ? [("F2", Text("continue on a phone: show a code to scan"))] : []
    return [
      ("Enter", Text("choose; in a form: next field, or on the last field, send")),
      ("Tab, \(symbols.keys.shift)Tab", Text("next part, previous part")),
      (symbols.keys.upDown, Text("move, or scroll; also PgUp, PgDn, Home and End")),
      (Text("1 to 9", context: "key").string, Text("choose from a menu")),
      (Text("letters", context: "key").string, Text("in a list: show only rows with these words")),
      (Text("Space", context: "key").string, Text("check a box, pick a choice, or pick one of several rows")),
      ("\(symbols.keys.shift)\(symbols.keys.leftRight)", Text("select text; ^X cuts, ^Y pastes it")),
      ("^O, Alt-Enter", Text("in multiline text: new line")),
      ("^R", Text("in a secret that may be shown: show it, or hide it again")),
      ("^A ^E ^W ^U ^K", Text("in text: go to start, end; delete previous word, to start, to end")),
      (ScreenView.danger, Text("before a button or a choice: it destroys something")),
      ("Esc, Alt-Left", Text("go back; on the first screen, end the flow after a confirmation")),
      (
        "q, ^C",
        Text("leave; the flow continues, and '{command}' returns to it", ["command": "coordinator-tui \(tree.printable)"])
      ),
    ] + phone + [("F1, ?", Text("this help"))]
  }

  func page(_ drawing: Drawing) -> Page {
    var page = Page(top: [Line(Text("Keys").string, .strong)])
    let isWide = drawing.columns >= 50
    let width = (keys.map(\.0.columns).max() ?? 0) + 2
    let lines = keys.flatMap { key, text -> [Line] in
      let meaning = text.string
      guard isWide else { return [Line(key, drawing.focused)] + drawing.wrapped(meaning, indent: 2) }
      return meaning.wrapped(to: drawing.columns - width).enumerated().map { row, line in
        Line([Span((row == 0 ? key : "").padded(to: width), drawing.focused), Span(line)])
      }
    }
    page.append(lines, spaced: lines.count + 2 <= drawing.size.rows)
    return page
  }
}
