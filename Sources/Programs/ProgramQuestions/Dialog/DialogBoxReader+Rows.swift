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

extension DialogBoxReader {
  /// Returns the result of a choice.
  func result(of choice: DialogChoice, in box: DialogBox) -> DialogResult {
    let code: Int
    switch choice.button {
    case .okay, .timeout: code = 0
    case .cancel: code = 1
    case .help: code = 2
    case .extra: code = 3
    case .escape: code = 255
    }
    switch box.kind {
    case .message, .document, .confirmation:
      var result = DialogResult(code, settings)
      result.addLastKeyAndSeparator(choice.button == .timeout ? "-1" : "10")
      return result
    case .entry, .range:
      var result = DialogResult(code, settings)
      result.add(choice.values.first ?? "")
      result.addLastKey(separatorBefore: true)
      if settings.has("last-key") { result.addSeparator() }
      return result
    case .editor: return edited(choice, code)
    case .menu(let items):
      var result = DialogResult(code, settings)
      if let index = choice.items.first, code == 0 || code == 3 { result.addString(items[index].tag) }
      if code == 2, let index = choice.items.first { addHelp(items[index].tag, items[index].help, to: &result) }
      if settings.has("last-key") {
        if result.needsSeparator { result.addSeparator() }
        result.addLastKeyAndSeparator()
      }
      return result
    case .checkList(let items): return listed(items, choice, code, isCheckList: true)
    case .radioList(let items): return listed(items, choice, code, isCheckList: false)
    case .form(let fields): return filled(fields, choice, code)
    }
  }

  /// Adds the output of Help: the name of the row, or its explanation.
  private func addHelp(_ tag: ProgramText, _ help: ProgramText, to result: inout DialogResult, isQuoted: Bool = false) {
    result.add("HELP ")
    var shown = tag
    if settings.has("item-help") {
      result.code = 4
      if !settings.has("help-tags") { shown = help }
    }
    if isQuoted { result.addQuoted(shown) } else { result.addString(shown) }
  }

  private func listed(_ items: [DialogItem], _ choice: DialogChoice, _ code: Int, isCheckList: Bool) -> DialogResult {
    let isSeparate = isCheckList && settings.has("separate-output")
    var result = DialogResult(code, settings)
    var chosen = choice.items
    var showsState = code == 0 || code == 3
    if code == 2, let index = choice.items.first {
      showsState = settings.has("help-status")
      addHelp(items[index].tag, items[index].help, to: &result, isQuoted: showsState && !isSeparate)
      if showsState, isSeparate { result.addSeparator() }
      chosen = items.indices.filter { items[$0].isOn }
    }
    guard showsState else { return result }
    for index in chosen {
      let tag = items[index].tag
      if isSeparate {
        result.addString(tag)
        result.addSeparator()
        continue
      }
      if result.needsSeparator { result.addSeparator() }
      if isCheckList { result.addQuoted(tag) } else { result.addString(tag) }
    }
    if isSeparate { result.addLastKeyAndSeparator() } else { result.addLastKey(separatorBefore: true) }
    return result
  }

  private func filled(_ fields: [DialogField], _ choice: DialogChoice, _ code: Int) -> DialogResult {
    var result = DialogResult(code, settings, isSeparate: true)
    var values = choice.values[...]
    var showsState = code == 0 || code == 3
    if code == 2 {
      let editable = fields.filter(\.isEditable)
      let index = choice.items.first ?? 0
      showsState = settings.has("help-status")
      if editable.indices.contains(index) { addHelp(editable[index].label, editable[index].help, to: &result) }
      if showsState { result.addSeparator() }
      values = editable.map(\.value)[...]
    }
    guard showsState else { return result }
    for field in fields where field.isPrinted {
      result.addString(field.isEditable ? values.popFirst() ?? field.value : field.value)
      result.addSeparator()
    }
    result.addLastKeyAndSeparator()
    return result
  }

  private func edited(_ choice: DialogChoice, _ code: Int) -> DialogResult {
    var result = DialogResult(code, settings, isSeparate: true)
    guard code == 0 else { return result }
    var bytes = choice.values.first?.bytes ?? []
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      result.add(ProgramText(line))
      result.addSeparator()
    }
    result.addLastKeyAndSeparator()
    return result
  }
}
