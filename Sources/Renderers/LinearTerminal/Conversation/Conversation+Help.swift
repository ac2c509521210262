/// The text that `?` prints.
extension Conversation {
  var help: [String] {
    [
      "",
      "  a number   chooses, and so does an exact name or id; an empty line takes what stands in brackets",
      "  /text      in a list: shows only the rows with these words, / all again; an empty line shows more",
      "  b          goes back to the screen before; on the first screen it ends the flow, and asks first",
      "  q          leaves; the flow goes on, and 'coordinator-tui \(tree)' comes back to it",
      "  ?          prints this",
      "In a form:",
      "  !action    does something else than filling it in",
      "  =text      answers with the text as it is, be it 'b', 'q', '?', or nothing",
      "",
    ]
  }
}
