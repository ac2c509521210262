import CoordinatorKit
import RendererKit

/// The help screen that F1 opens.
struct Help: Sendable, Hashable {
  let tree: String
  let symbols: Symbols

  private var keys: [(String, String)] {
    [
      ("Enter", "choose; in a form: on to the next field, and from the last one send"),
      ("Tab, \(symbols.keys.shift)Tab", "to the next part, to the one before"),
      (symbols.keys.upDown, "move, or scroll; PgUp, PgDn, Home and End as well"),
      ("1 to 9", "choose from a menu"),
      ("letters", "in a list: show only rows with these words"),
      ("Space", "tick, or pick"),
      ("\(symbols.keys.shift)\(symbols.keys.leftRight)", "select text; ^X cuts, ^Y pastes it"),
      ("^O, Alt-Enter", "in a text of several rows: a new line"),
      ("^A ^E ^W ^U ^K", "in text: to its beginning, its end; delete the word before, all before, all after"),
      ("Esc, Alt-Left", "go back; on the first screen end the flow, which is asked first"),
      ("q, ^C", "leave; the flow goes on, and 'coordinator-tui \(tree.printable)' comes back to it"),
      ("F1, ?", "this help"),
    ]
  }

  func page(_ drawing: Drawing) -> Page {
    var page = Page(top: [Line("Keys", .strong)])
    let isWide = drawing.columns >= 50
    let width = (keys.map(\.0.columns).max() ?? 0) + 2
    let lines = keys.flatMap { key, meaning -> [Line] in
      guard isWide else { return [Line(key, drawing.focused)] + drawing.wrapped(meaning, indent: 2) }
      return meaning.wrapped(to: drawing.columns - width).enumerated().map { row, text in
        Line([Span((row == 0 ? key : "").padded(to: width), drawing.focused), Span(text)])
      }
    }
    page.append(lines, spaced: lines.count + 2 <= drawing.size.rows)
    return page
  }
}
