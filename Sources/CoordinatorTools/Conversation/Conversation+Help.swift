/// What `?` prints.
extension Conversation {
  var help: [String] {
    [
      "",
      "  a number   chooses; an empty line takes what stands in brackets",
      "  b          goes back to the screen before",
      "  q          leaves; the flow goes on, and 'coordinator-tui \(tree)' comes back to it",
      "  ?          prints this",
      "In a form:",
      "  !action    does something else than filling it in",
      "  =text      answers with the text as it is, be it 'b', 'q', '?', or nothing",
      "",
    ]
  }
}
