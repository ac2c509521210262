import CoordinatorKit
import RendererKit

/// The text that `?` prints.
extension Conversation {
  var help: [String] {
    let command = "coordinator-tui \(tree)"
    let rows: [(String, Text)] = [
      // TRANSLATORS: What users type, in the list of commands.
      (
        Text("a number", context: "command").string,
        Text("chooses, as does an exact name or id; an empty line accepts the value in brackets")
      ),
      ("1, 3", Text("where several rows are chosen: chooses these; '{none}' chooses none", ["none": Self.noItem])),
      ("/" + Self.text, Text("in a list: shows only the rows with these words; / shows all rows again")),
      ("+", Text("in a list: shows more rows, as does an empty line unless the prompt names a row")),
      ("b", Text("goes back to the previous screen; on the first screen, ends the flow, after a question")),
      ("q", Text("leaves; the flow continues, and '{command}' returns to it", ["command": command])),
      ("?", Text("prints this help")),
    ]
    let formRows: [(String, Text)] = [
      (Text("!action", context: "command").string, Text("performs another action instead of filling in the form")),
      ("=" + Self.text, Text("enters the text as is, even if it is 'b', 'q', '?' or empty")),
      (".", Text("ends a text of several lines")),
    ]
    let width = (rows + formRows).map(\.0.count).max() ?? 0
    func lines(_ rows: [(String, Text)]) -> [String] {
      rows.map { "  " + $0 + String(repeating: " ", count: width - $0.count + 3) + $1.string }
    }
    return [""] + lines(rows) + [Text("In a form:").string] + lines(formRows) + [""]
  }

  private static var text: String {
    // TRANSLATORS: What users type, as in "/text".
    Text("text", context: "command").string
  }
}
