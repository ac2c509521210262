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
