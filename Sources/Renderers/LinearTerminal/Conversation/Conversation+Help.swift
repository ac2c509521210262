/// The text that `?` prints.
extension Conversation {
  var help: [String] {
    [
      "",
      "  a number   chooses, as does an exact name or id; an empty line accepts the value in brackets",
      "  1, 3       where several rows are chosen: chooses these; 'none' chooses none",
      "  /text      in a list: shows only the rows with these words; / shows all rows again",
      "  +          in a list: shows more rows, as does an empty line unless the prompt names a row",
      "  b          goes back to the previous screen; on the first screen, ends the flow, after a question",
      "  q          leaves; the flow continues, and 'coordinator-tui \(tree)' returns to it",
      "  ?          prints this help",
      "In a form:",
      "  !action    performs another action instead of filling in the form",
      "  =text      enters the text as is, even if it is 'b', 'q', '?' or empty",
      "  .          ends a text of several lines",
      "",
    ]
  }
}
