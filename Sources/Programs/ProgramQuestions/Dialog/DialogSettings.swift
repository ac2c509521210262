import Platform

/// The options of dialog that apply to one box.
struct DialogSettings: Sendable, Hashable {
  private(set) var flags: Set<String> = []
  private(set) var strings: [String: ProgramText] = [:]
  private(set) var numbers: [String: Int] = [:]
  /// The button that `--default-button` or `--defaultno` names.
  var defaultButton: DialogButton.Role?

  /// Whether a flag is on.
  func has(_ flag: String) -> Bool { flags.contains(flag) }

  mutating func set(_ flag: String, _ value: Bool) {
    if value { flags.insert(flag) } else { flags.remove(flag) }
  }

  mutating func set(_ name: String, _ value: ProgramText) { strings[name] = value }
  mutating func set(_ name: String, _ value: Int) { numbers[name] = value }

  private func label(_ option: String, _ usual: ProgramText) -> ProgramText { strings[option] ?? usual }

  /// The buttons of boxes that take a value.
  var okButtons: [DialogButton] { buttons(hasCancel: !has("no-cancel")) }

  /// The buttons of a message.
  var messageButtons: [DialogButton] { buttons(hasCancel: false) }

  /// The buttons of a text box.
  var exitButtons: [DialogButton] {
    if has("extra-button") { return messageButtons }
    let exit = DialogButton(.okay, label("exit-label", "EXIT"))
    guard has("help-button") else { return [exit] }
    return (has("no-ok") ? [] : [exit]) + [DialogButton(.help, label("help-label", "Help"))]
  }

  /// The buttons of a question with yes and no.
  var yesButtons: [DialogButton] {
    [DialogButton(.okay, label("yes-label", "Yes"))] + extra + [DialogButton(.cancel, label("no-label", "No"))] + help
  }

  private var extra: [DialogButton] {
    has("extra-button") ? [DialogButton(.extra, label("extra-label", "Extra"))] : []
  }

  private var help: [DialogButton] { has("help-button") ? [DialogButton(.help, label("help-label", "Help"))] : [] }

  private func buttons(hasCancel: Bool) -> [DialogButton] {
    let okay = DialogButton(.okay, label("ok-label", "OK"))
    let cancel = DialogButton(.cancel, label("cancel-label", "Cancel"))
    let all = (has("no-ok") ? [] : [okay]) + extra + (hasCancel ? [cancel] : []) + help
    return all.isEmpty ? [okay] : all
  }
}

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

/// Prepares the text of a box as dialog does.
enum DialogPrompt {
  /// Returns a text with line breaks for `\n` and with less white space, as `dlg_trim_string` does.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - flags: the options that are on.
  /// - Returns: the text to show.
  static func prepare(_ text: ProgramText, flags: Set<String>) -> ProgramText {
    let keepsBlanks = flags.contains("no-collapse"), wraps = flags.contains("cr-wrap")
    var bytes = text.bytes
    if !keepsBlanks { for index in bytes.indices where bytes[index] == 0x09 { bytes[index] = 0x20 } }
    let hasBreaks = !flags.contains("no-nl-expand") && bytes.indices.contains { isBreak(bytes, $0) }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if hasBreaks, isBreak(bytes, index) {
        result.append(0x0a)
        index += 2
        // dialog ignores a line break directly after `\n`.
        var after = index
        while after < bytes.count, bytes[after].isBlank { after += 1 }
        if after < bytes.count, bytes[after] == 0x0a { index = after + 1 }
        continue
      }
      if hasBreaks {
        if byte == 0x0a, !wraps {
          if !isSecondBlank(bytes, index) { result.append(0x20) }
        } else {
          result.append(byte)
        }
      } else if flags.contains("trim") {
        if byte.isBlank || (byte == 0x0a && !wraps) {
          if result.last?.isBlank != true { result.append(0x20) }
        } else {
          result.append(byte)
        }
      } else if !byte.isBlank || keepsBlanks || !isSecondBlank(bytes, index) {
        result.append(byte)
      }
      index += 1
    }
    return ProgramText(result)
  }

  private static func isBreak(_ bytes: [UInt8], _ index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "n")
  }

  /// Whether a blank follows another one that is not at the beginning of a line.
  private static func isSecondBlank(_ bytes: [UInt8], _ index: Int) -> Bool {
    var count = bytes[index].isBlank ? 1 : 0
    var before = index
    while before > 0 {
      before -= 1
      guard bytes[before] != 0x0a, bytes[before].isBlank else { break }
      count += 1
    }
    return count > 1
  }
}

/// An option of dialog 1.3-20230209.
struct DialogOption: Sendable, Hashable {
  /// The value that an option takes.
  enum Kind: Sendable, Hashable {
    /// No value. The associated value is the flag that the option sets.
    case flag(Bool)
    /// A number, or a string.
    case number, string
    /// Values that the code of the option reads itself.
    case other
    /// A box, with the minimum and the maximum number of its words, including its name; 0 for no maximum.
    case box(Int, Int)
  }

  /// The name without `--`.
  var name: String
  /// The canonical name of the option.
  var code: String
  var kind: Kind
  /// The places where the option is valid: 1 before a box, 2 as a box, 4 elsewhere. The bits can be combined.
  var pass: Int

  static let all: [DialogOption] =
    flags.map { DialogOption(name: $0, code: $0, kind: .flag(true), pass: 1) }
    + [DialogOption(name: "no-shadow", code: "use-shadow", kind: .flag(false), pass: 1)]
    + aliases.map { DialogOption(name: $0, code: $1, kind: .flag(true), pass: 1) }
    + numbers.map { DialogOption(name: $0, code: $0, kind: .number, pass: 1) }
    + strings.map { DialogOption(name: $0, code: $1, kind: .string, pass: 1) }
    + others.map { DialogOption(name: $0, code: $0, kind: .other, pass: $1) }
    + boxes.map { DialogOption(name: $0, code: $0 == "guage" ? "gauge" : $0, kind: .box($1, $2), pass: 2) }

  /// Finds an option. Its name can have a leading `no` or `no-`.
  static func find(_ word: ProgramText, pass: Int, again: Bool = true) -> DialogOption? {
    guard word.begins(with: "--"), word.bytes.count > 2, word.bytes[2].isASCIILetter else { return nil }
    let name = ProgramText(word.bytes.dropFirst(2)).string
    if let found = byName[name]?.first(where: { $0.pass & pass != 0 }) { return found }
    guard again else { return nil }
    if let rest = name.bytes.dropping(prefix: "no-") ?? name.bytes.dropping(prefix: "no") {
      return find(ProgramText("--no-\(rest)"), pass: pass, again: false)
        ?? find(ProgramText("--\(rest)"), pass: pass, again: false)
    }
    return find(ProgramText("--no-\(name)"), pass: pass, again: false)
  }

  /// Returns the value of a flag, which depends on a leading `no` in the given spelling.
  func flag(as word: ProgramText) -> Bool {
    guard case .flag(let usual) = kind, word != ProgramText("--\(name)") else { return kind == .flag(true) }
    return word.begins(with: "--no") == name.bytes.hasPrefix("no") ? usual : !usual
  }

  private static let byName = Dictionary(grouping: all, by: \.name)

  private static let flags = [
    "allow-close", "ascii-lines", "auto-placement", "beep", "beep-after", "begin", "clear", "colors", "cr-wrap",
    "cursor-off-label", "defaultno", "erase-on-exit", "extra-button", "fixed-font", "help-button", "help-status", "help-tags",
    "insecure", "item-help", "keep-colors", "keep-tite", "keep-window", "last-key", "no-cancel", "no-close", "no-collapse",
    "no-hot-list", "no-kill", "no-lines", "no-mouse", "no-nl-expand", "no-ok", "print-size", "print-text-only", "quoted",
    "screen-center", "scrollbar", "separate-output", "single-quoted", "size-err", "smooth", "tab-correct", "trim",
    "under-mouse", "visit-items", "fb", "fullbutton", "iso-week", "no-items", "no-tags", "reorder",
  ]
  private static let aliases = [
    "noitem": "no-items", "notags": "no-tags", "scrolltext": "scrollbar", "topleft": "begin",
  ]
  private static let numbers = ["aspect", "max-input", "sleep", "tab-len", "timeout"]
  private static let strings = [
    "backtitle": "backtitle", "cancel-label": "cancel-label", "cancel-button": "cancel-label",
    "column-separator": "column-separator", "date-format": "date-format", "default-button": "default-button",
    "default-item": "default-item", "exit-label": "exit-label", "extra-label": "extra-label", "help-label": "help-label",
    "hfile": "hfile", "hline": "hline", "icon": "icon", "no-label": "no-label", "no-button": "no-label",
    "ok-label": "ok-label", "ok-button": "ok-label", "output-separator": "output-separator", "separator": "output-separator",
    "separate-widget": "separate-widget", "time-format": "time-format", "title": "title", "wmclass": "wmclass",
    "yes-label": "yes-label", "yes-button": "yes-label", "week-start": "week-start",
  ]
  private static let others = [
    "and-widget": 4, "create-rc": 1, "help": 4, "ignore": 1, "input-fd": 1, "output-fd": 1, "print-maxsize": 1,
    "print-text-size": 5, "print-version": 5, "stderr": 1, "stdout": 1, "version": 5, "trace": 1,
  ]
  private static let boxes = [
    ("yesno", 4, 4), ("msgbox", 4, 4), ("infobox", 4, 4), ("textbox", 4, 4), ("menu", 6, 0), ("inputmenu", 6, 0),
    ("checklist", 7, 0), ("radiolist", 7, 0), ("inputbox", 4, 5), ("passwordbox", 4, 5), ("gauge", 4, 5), ("guage", 4, 5),
    ("pause", 5, 5), ("prgbox", 4, 5), ("programbox", 3, 4), ("progressbox", 3, 4), ("passwordform", 13, 0), ("form", 13, 0),
    ("mixedgauge", 5, 0), ("mixedform", 13, 0), ("tailbox", 4, 4), ("tailboxbg", 4, 4), ("calendar", 4, 7), ("dselect", 4, 5),
    ("editbox", 4, 4), ("fselect", 4, 5), ("timebox", 4, 7), ("buildlist", 4, 0), ("rangebox", 5, 7), ("treeview", 4, 0),
  ]
}
