import CoordinatorKit
import RendererKit

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
