extension DialogRun {
  /// Runs the boxes, one after another.
  ///
  /// - Parameters:
  ///   - first: the index of the first box.
  ///   - console: the inputs and outputs of the call.
  /// - Returns: the end of the call.
  /// - Throws: the next step, or the end because of a mistake.
  mutating func runBoxes(after first: Int, _ console: inout DialogConsole) throws(DialogStep) -> DialogStep {
    var index = 0
    var ended = 0
    while index < arguments.count {
      try beginBox(&console)
      index = try readOptions(from: index, writes: index > first, &console)
      guard let word = arguments[index] else { throw usage("Expected a box option", &console) }
      let option = DialogOption.find(word, pass: 2)
      if settings.has("separate-output"), !["checklist", "buildlist", "treeview"].contains(option?.code) {
        throw usage("Unexpected widget with --separate-output \(word.first(20))", &console)
      }
      guard let option, case .box(let fewest, let most) = option.kind else {
        let isKnown = DialogOption.find(word, pass: 7) != nil
        throw usage("\(isKnown ? "Unexpected" : "Unknown") option \(word.first(20))", &console)
      }
      let have = arguments.rest(at: index)
      // dialog passes the arguments of this message in the wrong order, so it always prints 20 and cuts the name.
      if have < fewest {
        throw usage("Expected at least 20 tokens for \(word.first(fewest - 1)), have \(have - 1)", &console)
      }
      if most > 0, have > most {
        throw usage("Expected no more than 20 tokens for \(word.first(most - 1)), have \(have - 1)", &console)
      }
      prepareTexts(index, have)
      var box = DialogBoxReader(self, at: index, named: option.code)
      let (result, length) = try box.run(&console)
      resultCount = box.resultCount
      write(result, to: &console)
      ended = result.code
      index += length
      if ended == 255 { break }
      guard index < arguments.count else { continue }
      switch arguments.option(at: index)?.code {
      case "and-widget": index += 1
      case nil: throw usage("Expected --and-widget, not \((arguments[index] ?? "").first(20))", &console)
      default: if ended != 0 { return console.ended(code(ended)) }
      }
    }
    return console.ended(code(ended))
  }

  /// Expands and trims the words that directly follow an option, as dialog does before it runs a box.
  private mutating func prepareTexts(_ index: Int, _ have: Int) {
    for position in (index + 1)...(index + have) {
      guard let option = arguments.option(at: position - 1), let text = arguments[position] else { continue }
      guard !["title", "backtitle", "hline", "hfile"].contains(option.code) else { continue }
      arguments.words[position].text = DialogPrompt.prepare(text, flags: settings.flags)
    }
  }

  /// Writes the result of a box.
  private func write(_ result: DialogResult, to console: inout DialogConsole) {
    guard [0, 2, 3, 4].contains(result.code) else { return }
    if resultCount > 1, !settings.has("separate-output") { console.write(widgetSeparator ?? "\t", to: output) }
    console.write(result.text, to: output)
  }
}
