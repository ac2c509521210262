/// The text that `?` prints.
extension Conversation {
  var help: [String] {
    [
      "",
      "  a number   chooses, as does an exact name or id; an empty line accepts the value in brackets",
      "  /text      in a list: shows only the rows with these words; / shows all rows again; an empty line shows more",
      "  b          goes back to the previous screen; on the first screen, ends the flow after a confirmation",
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
