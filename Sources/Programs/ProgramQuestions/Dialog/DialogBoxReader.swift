/// Reads one box of dialog from the arguments and runs it.
struct DialogBoxReader {
  let program: DialogRun
  /// The index of the box's name.
  let start: Int
  let name: String
  private(set) var resultCount: Int
  var settings: DialogSettings { program.settings }

  init(_ program: DialogRun, at start: Int, named name: String) {
    (self.program, self.start, self.name) = (program, start, name)
    resultCount = program.resultCount
  }

  /// Runs the box.
  ///
  /// - Parameter console: the inputs and outputs of the call.
  /// - Returns: the result, and the number of words consumed.
  /// - Throws: the next step, or the end because of a mistake.
  mutating func run(_ console: inout DialogConsole) throws(DialogStep) -> (DialogResult, Int) {
    var box = newBox
    if let shown = try show(box, &console) { return shown }
    let words = try readQuestion(into: &box, &console)
    if box.givesResult { resultCount += 1 }
    // dialog does not apply the timeout while the cursor is in a field.
    if box.startsInField, settings.defaultButton == nil { box.timeout = nil }
    return (result(of: try choose(box, &console), in: box), words)
  }

  /// Shows a box that needs no answer.
  ///
  /// - Returns: the result, and the number of words consumed; nil if the box needs an answer, and nothing was shown.
  private func show(_ box: DialogBox, _ console: inout DialogConsole) throws(DialogStep) -> (DialogResult, Int)? {
    let rest = program.arguments.rest(at: start)
    switch name {
    case "infobox":
      try size(&console)
      _ = try console.take(.show(box.display(nil), seconds: settings.numbers["sleep"] ?? 0))
      var result = DialogResult(0, settings)
      result.addLastKeyAndSeparator("-1")
      return (result, 4)
    case "gauge":
      let percent = rest > 4 ? try number(4, &console) : 0
      try size(&console)
      let progress = GaugeProgress(percent: percent)
      _ = try console.take(.follow(box, .gauge(.dialog(flags: settings.flags), progress)))
      return (DialogResult(0, settings), rest)
    case "progressbox":
      var box = box
      if rest == 4 { try size(&console) } else { (_, box.text) = (try size(&console, from: 1), "") }
      _ = try console.take(.follow(box, .lines))
      return (DialogResult(0, settings), rest)
    default: return nil
    }
  }

  /// Reads the arguments of a box that needs an answer, in the order in which the program checks them.
  ///
  /// - Returns: the number of words consumed.
  private func readQuestion(into box: inout DialogBox, _ console: inout DialogConsole) throws(DialogStep) -> Int {
    let rest = program.arguments.rest(at: start)
    switch name {
    case "yesno":
      try size(&console)
      (box.kind, box.buttons) = (.confirmation, settings.yesButtons)
    case "msgbox": try size(&console)
    case "textbox":
      try size(&console)
      box.kind = .document(try file(.start, &console))
      (box.text, box.buttons) = ("", settings.exitButtons)
    case "editbox":
      try size(&console)
      box.kind = .editor(try file(.regular, &console))
      (box.text, box.buttons) = ("", settings.okButtons)
    case "inputbox", "passwordbox":
      try size(&console)
      box.kind = .entry(initial: rest > 4 ? argument(4) : "", isHidden: name == "passwordbox")
      box.buttons = settings.okButtons
      return rest
    case "pause":
      let seconds = try number(4, &console)
      try size(&console)
      box.timeout = max(seconds, 1)
      box.buttons = settings.okButtons
      return rest
    case "rangebox":
      let lowest = try number(4, &console)
      let initial = rest > 6 ? try number(6, &console) : lowest
      let highest = max(try number(5, &console), lowest)
      try size(&console)
      box.kind = .range(lowest...highest, initial: min(max(initial, lowest), highest))
      box.buttons = settings.okButtons
      return rest
    case "menu", "checklist", "radiolist":
      let items = try items(&console)
      _ = try number(4, &console)
      try size(&console)
      setItems(items, of: &box)
      return 5 + items.count * itemGroup
    case "form", "passwordform", "mixedform":
      let fields = try fields(&console)
      _ = try number(4, &console)
      try size(&console)
      box.kind = .form(fields)
      box.current = fields.filter(\.isEditable).firstIndex { $0.label == settings.strings["default-item"] } ?? 0
      box.buttons = settings.okButtons
      return 5 + fields.count * fieldGroup
    default: throw console.refused("dialog", "the box --\(name) is not supported here")
    }
    return 4
  }

  /// Asks for the answer to a box. When the time is up, the box ends as with Escape, or with the status that the environment
  /// gives for this; a pause ends as it should.
  private func choose(_ box: DialogBox, _ console: inout DialogConsole) throws(DialogStep) -> DialogChoice {
    var choice = try console.choose(box)
    if choice.button == .timeout, name != "pause" {
      if program.hasStatus(named: "DIALOG_TIMEOUT") { throw program.failure("timeout", &console, code: 5) }
      choice.button = .escape
    }
    return choice
  }

  private var newBox: DialogBox {
    var box = DialogBox(
      name: name, kind: .message, title: settings.strings["title"], backTitle: settings.strings["backtitle"], text: argument(1),
      buttons: settings.messageButtons)
    box.programTitle = program.invocation.programTitle
    box.hasMarkup = settings.has("colors")
    box.defaultButton = settings.defaultButton ?? .okay
    if let seconds = settings.numbers["timeout"], seconds > 0 { box.timeout = seconds }
    return box
  }

  private func setItems(_ items: [DialogItem], of box: inout DialogBox) {
    var items = items
    box.buttons = settings.okButtons
    box.current = items.firstIndex { $0.tag == settings.strings["default-item"] } ?? 0
    switch name {
    case "menu": box.kind = .menu(items)
    case "checklist": box.kind = .checkList(items)
    default:
      let first = items.firstIndex(where: \.isOn)
      for index in items.indices { items[index].isOn = index == first }
      box.kind = .radioList(items)
    }
  }

  func argument(_ offset: Int) -> ProgramText { program.arguments[start + offset] ?? "" }

  func number(_ offset: Int, _ console: inout DialogConsole) throws(DialogStep) -> Int {
    guard let word = program.arguments[start + offset] else { return 0 }
    guard let number = CNumber.int(word) else {
      throw program.usage("Expected a number for token \(offset) of \(argument(0).first(20))", &console)
    }
    return number
  }

  /// Checks the height and the width, in the order in which the program does.
  private func size(_ console: inout DialogConsole, from offset: Int = 2) throws(DialogStep) {
    _ = try number(offset + 1, &console)
    _ = try number(offset, &console)
  }

  private func file(_ file: DialogFile, _ console: inout DialogConsole) throws(DialogStep) -> [UInt8] {
    let path = argument(1)
    if case .file(let bytes) = try console.take(.read(path, file)) { return bytes }
    throw program.failure(file == .regular ? "Not a file: \(path)" : "Can't open input file \(path)", &console)
  }
}

extension DialogBox {
  /// Whether the cursor is initially in a text field.
  fileprivate var startsInField: Bool {
    switch kind {
    case .entry, .editor: true
    case .form: takesValue
    default: false
    }
  }

  /// Whether the box has a result that counts for the separators between results.
  fileprivate var givesResult: Bool {
    switch kind {
    case .message, .document, .confirmation: false
    default: true
    }
  }
}

/// The result of a box of dialog, assembled as in the program.
struct DialogResult: Sendable, Hashable {
  /// The exit code before the environment changes it.
  var code: Int
  private(set) var text: ProgramText = ""
  private let settings: DialogSettings
  /// Whether each item is on its own line.
  private let isSeparate: Bool

  init(_ code: Int, _ settings: DialogSettings, isSeparate: Bool? = nil) {
    (self.code, self.settings) = (code, settings)
    self.isSeparate = isSeparate ?? settings.has("separate-output")
  }

  mutating func add(_ more: ProgramText) { text.bytes += more.bytes }

  /// Adds a value, quoted if `--quoted` is set and the value needs it.
  ///
  /// The bytes are those of dialog, except for quotation marks. Between apostrophes, dialog writes `\'`, which ends the quoted
  /// value in every shell, and it does not quote a value that contains only the other mark. Scripts evaluate the result, and
  /// the user who typed the value may be remote.
  mutating func addString(_ value: ProgramText) {
    if settings.has("quoted") { addQuoted(value, mayBeTyped: true) } else { add(value) }
  }

  /// Adds a value, quoted if it contains special characters.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - mayBeTyped: whether the user may have typed the value, that is, the program itself has not offered it.
  mutating func addQuoted(_ value: ProgramText, mayBeTyped: Bool = false) {
    let isSingle = settings.has("single-quoted")
    let quotes = Array("'\"".utf8)
    let quote = isSingle ? quotes[0] : quotes[1]
    let single = Array("\n\\".utf8), double = Array("\n\\[]{}?*;`~#$^&()|<>".utf8)
    let needsQuotes =
      value.isEmpty
      || value.bytes.contains { $0 == quote || mayBeTyped && quotes.contains($0) || $0.isBlank || double.contains($0) }
    guard needsQuotes else { return add(value) }
    let escaped = isSingle ? single : double
    text.bytes.append(quote)
    for byte in value.bytes {
      if mayBeTyped, isSingle, byte == quote {
        text.bytes += "'\\''".utf8
        continue
      }
      if byte == quote || escaped.contains(byte) { text.bytes.append(UInt8(ascii: "\\")) }
      text.bytes.append(byte)
    }
    text.bytes.append(quote)
  }

  mutating func addSeparator() { add(settings.strings["output-separator"] ?? (isSeparate ? "\n" : " ")) }

  var needsSeparator: Bool { settings.strings["output-separator"] != nil || !text.isEmpty }

  /// Adds the code of the last key for `--last-key`: Enter, because results are printed only after it.
  mutating func addLastKey(_ key: ProgramText = "10", separatorBefore: Bool) {
    guard settings.has("last-key") else { return }
    if separatorBefore, needsSeparator { addSeparator() }
    addString(key)
  }

  /// Adds the code of the last key and a separator.
  mutating func addLastKeyAndSeparator(_ key: ProgramText = "10") {
    guard settings.has("last-key") else { return }
    addLastKey(key, separatorBefore: false)
    addSeparator()
  }
}
