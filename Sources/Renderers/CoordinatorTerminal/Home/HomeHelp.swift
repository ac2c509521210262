import Languages
import RendererKit

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
