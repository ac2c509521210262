import CoordinatorKit
import RendererKit

/// The help screen that F1 opens.
struct Help: Sendable, Hashable {
  let tree: String
  let symbols: Symbols

  private var keys: [(String, String)] {
    [
      ("Enter", "choose; in a form: next field, or on the last field, send"),
      ("Tab, \(symbols.keys.shift)Tab", "next part, previous part"),
      (symbols.keys.upDown, "move, or scroll; also PgUp, PgDn, Home and End"),
      ("1 to 9", "choose from a menu"),
      ("letters", "in a list: show only rows with these words"),
      ("Space", "check a box, pick a choice, or pick one of several rows"),
      ("\(symbols.keys.shift)\(symbols.keys.leftRight)", "select text; ^X cuts, ^Y pastes it"),
      ("^O, Alt-Enter", "in multiline text: new line"),
      ("^R", "in a secret that may be shown: show it, or hide it again"),
      ("^A ^E ^W ^U ^K", "in text: go to start, end; delete previous word, to start, to end"),
      ("Esc, Alt-Left", "go back; on the first screen, end the flow after a confirmation"),
      ("q, ^C", "leave; the flow continues, and 'coordinator-tui \(tree.printable)' returns to it"),
      ("F2", "continue on a phone: show a code to scan"),
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
