extension DialogBoxReader {
  /// The number of words per row of a list.
  var itemGroup: Int { 1 + (name == "menu" ? 0 : 1) + (settings.has("item-help") ? 1 : 0) + (settings.has("no-items") ? 0 : 1) }

  /// The number of words per field of a form.
  var fieldGroup: Int { 8 + (name == "mixedform" ? 1 : 0) + (settings.has("item-help") ? 1 : 0) }

  func items(_ console: inout DialogConsole) throws(DialogStep) -> [DialogItem] {
    let count = try rowCount(itemGroup, &console)
    let showsTag = !settings.has("no-tags")
    var next = start + 5
    var items: [DialogItem] = []
    func take() -> ProgramText {
      defer { next += 1 }
      return program.arguments[next] ?? ""
    }
    for _ in 0..<count {
      var item = DialogItem(tag: take(), text: "", showsTag: showsTag)
      if !settings.has("no-items") { item.text = shown(take()) }
      if name != "menu" { item.isOn = take().matches("on") }
      if settings.has("item-help") { item.help = take() }
      items.append(item)
    }
    return items
  }

  func fields(_ console: inout DialogConsole) throws(DialogStep) -> [DialogField] {
    let count = try rowCount(fieldGroup, &console)
    return (0..<count).map { row in
      let first = 5 + row * fieldGroup
      let type = name == "mixedform" ? CNumber(argument(first + 8)).value : name == "passwordform" ? 1 : 0
      var field = DialogField(label: argument(first), value: argument(first + 3))
      let length = CNumber(argument(first + 6)).value
      field.isPrinted = length > 0
      field.isEditable = length > 0 && type & 2 == 0
      field.isHidden = type & 1 != 0
      if length > 0 {
        let limit = CNumber(argument(first + 7)).value
        if limit >= 0 { field.value = field.value.first(limit == 0 ? length : limit) }
      }
      if settings.has("item-help") { field.help = argument(first + fieldGroup - 1) }
      return field
    }
  }

  /// Returns the number of rows; the words up to the next option must be enough for whole rows.
  private func rowCount(_ group: Int, _ console: inout DialogConsole) throws(DialogStep) -> Int {
    var count = 0
    var index = start + 5
    while index < program.arguments.count, !program.arguments.words[index].isOption {
      let have = program.arguments.rest(at: index)
      if have < group { throw program.usage("Expected \(group) arguments, found only \(have)", &console) }
      if have % group != 0 { throw program.usage("Expected \(group) arguments, found extra \(have % group)", &console) }
      index += have
      count += have / group
    }
    return count
  }

  /// Returns the text of a row, in which blanks separate columns.
  private func shown(_ text: ProgramText) -> ProgramText {
    guard let separator = settings.strings["column-separator"], !separator.isEmpty else { return text }
    var result: [UInt8] = []
    var rest = text.bytes[...]
    while !rest.isEmpty {
      if rest.starts(with: separator.bytes) {
        result += [0x20, 0x20]
        rest = rest.dropFirst(separator.bytes.count)
      } else {
        result.append(rest.removeFirst())
      }
    }
    return ProgramText(result)
  }
}
