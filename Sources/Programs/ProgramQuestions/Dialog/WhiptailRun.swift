/// A call of whiptail 0.52.23, evaluated in the order of its source.
struct WhiptailRun {
  private let arguments: WhiptailArguments
  private let output: Int32
  private let canWrite: Bool
  private let programTitle: String
  private var rest: ArraySlice<ProgramText>
  private let labels: [DialogButton.Role: ProgramText]

  init(_ invocation: DialogInvocation) {
    arguments = WhiptailArguments(invocation.arguments)
    rest = arguments.rest[...]
    output = arguments.values["output-fd"].map { Int32(truncatingIfNeeded: CNumber($0, anyBase: true).value) } ?? 2
    canWrite = invocation.writable?.contains(output) ?? true
    programTitle = invocation.programTitle
    let isYesNo = arguments.boxes.first == "yesno"
    labels = [
      .okay: arguments.values[isYesNo ? "yes-button" : "ok-button"] ?? (isYesNo ? "Yes" : "Ok"),
      .cancel: arguments.values[isYesNo ? "no-button" : "cancel-button"] ?? (isYesNo ? "No" : "Cancel"),
    ]
  }

  /// Evaluates the call.
  ///
  /// - Parameter console: the inputs and outputs of the call.
  /// - Throws: the next step.
  mutating func run(on console: inout DialogConsole) throws(DialogStep) -> Never {
    guard arguments.boxes.count < 2 else { throw Self.usage(&console) }
    if arguments.flags.contains("help") { throw Self.usage(&console, isMistake: false) }
    if arguments.flags.contains("version") {
      console.write("whiptail (newt): 0.52.23\n", to: 1)
      throw console.ended(0)
    }
    if let (argument, reason) = arguments.mistake {
      console.write(argument + ProgramText(": \(reason)\n"), to: 2)
      throw console.ended(1)
    }
    guard canWrite else {
      console.write("Cannot open output-fd\n: Bad file descriptor\n", to: 2)
      throw console.ended(255)
    }
    guard let name = arguments.boxes.first, var text = rest.popFirst() else { throw Self.usage(&console) }
    if name == "textbox" { text = ProgramText(try file(text, &console).prefix { $0 != 0 }) }
    let isList = ["menu", "checklist", "radiolist"].contains(name)
    for _ in 0..<(isList ? 3 : 2) {
      guard let size = rest.popFirst(), CNumber.whole(size) != nil else { throw Self.usage(&console) }
    }
    var box = DialogBox(
      name: name, kind: .message, title: arguments.values["title"], backTitle: arguments.values["backtitle"],
      text: text.withLineBreaks, buttons: buttons(of: name))
    box.programTitle = programTitle
    switch name {
    case "infobox":
      _ = try console.take(.show(box.display(nil), seconds: 0))
      throw console.ended(0)
    case "gauge":
      guard let percent = rest.popFirst(), let percent = CNumber.whole(percent) else { throw Self.usage(&console) }
      let progress = GaugeProgress(percent: percent)
      _ = try console.take(.follow(box, .gauge(.whiptail, progress)))
      throw console.ended(0)
    case "textbox":
      box.kind = .document(box.text.bytes)
      box.text = ""
    case "yesno":
      box.kind = .confirmation
      if arguments.flags.contains("defaultno") { box.defaultButton = .cancel }
    case "inputbox", "passwordbox":
      box.kind = .entry(initial: rest.popFirst() ?? "", isHidden: name == "passwordbox")
    case "menu":
      let items = try items(hasState: false, &console)
      guard !items.isEmpty else { throw Self.usage(&console) }
      if let wanted = arguments.values["default-item"] { box.current = items.lastIndex { $0.tag == wanted } ?? 0 }
      box.kind = .menu(items)
    case "checklist": box.kind = .checkList(try items(hasState: true, &console))
    case "radiolist": box.kind = .radioList(try items(hasState: true, &console).withOneOn)
    default: break
    }
    throw end(try console.choose(box), of: box, &console)
  }

  /// Reads the rows. With `--noitem`, menus still have pairs, while the other lists have a tag and a state per row.
  private mutating func items(hasState: Bool, _ console: inout DialogConsole) throws(DialogStep) -> [DialogItem] {
    let hasText = !arguments.flags.contains("noitem")
    let showsTag = !arguments.flags.contains("notags")
    var items: [DialogItem] = []
    while let tag = rest.popFirst() {
      guard var word = rest.popFirst() else { throw Self.usage(&console) }
      var item = DialogItem(tag: tag, text: hasText ? word : "", showsTag: showsTag)
      if hasState {
        if hasText {
          guard let state = rest.popFirst() else { throw Self.usage(&console) }
          word = state
        }
        item.isOn = word == "1" || word.matches("on") || word.matches("yes")
      }
      items.append(item)
    }
    return items
  }

  private func end(_ choice: DialogChoice, of box: DialogBox, _ console: inout DialogConsole) -> DialogStep {
    switch choice.button {
    // Without a Cancel button, the program treats Escape as Cancel.
    case .escape:
      let hasCancel = !arguments.flags.contains("nocancel")
      if hasCancel || box.kind == .message || box.kind == .confirmation { return console.ended(255) }
      if case .document = box.kind { return console.ended(255) }
      return console.ended(1)
    case .okay: break
    default: return console.ended(1)
    }
    switch box.kind {
    case .entry: console.write(choice.values.first ?? "", to: output)
    case .menu(let items), .radioList(let items):
      if let index = choice.items.first { console.write(items[index].tag, to: output) }
    case .checkList(let items):
      for (position, index) in choice.items.enumerated() {
        let tag = items[index].tag
        let isSeparate = arguments.flags.contains("separate-output")
        console.write(isSeparate ? tag + "\n" : (position > 0 ? " \"" : "\"") + tag + "\"", to: output)
      }
    default: break
    }
    return console.ended(0)
  }

  private func buttons(of name: String) -> [DialogButton] {
    let okay = DialogButton(.okay, labels[.okay] ?? "Ok")
    let hasCancel = name == "yesno" || !arguments.flags.contains("nocancel")
    guard hasCancel, !["msgbox", "textbox", "infobox", "gauge"].contains(name) else { return [okay] }
    return [okay, DialogButton(.cancel, labels[.cancel] ?? "Cancel")]
  }

  private func file(_ path: ProgramText, _ console: inout DialogConsole) throws(DialogStep) -> [UInt8] {
    switch try console.take(.read(path, .start)) {
    case .file(let bytes): return bytes
    case .failure(let reason):
      console.write(path + ": " + reason + "\n", to: 2)
      throw console.ended(255)
    default: throw console.refused("whiptail", "the file was not read")
    }
  }

  private static func usage(_ console: inout DialogConsole, isMistake: Bool = true) -> DialogStep {
    console.write(WhiptailHelp.text, to: isMistake ? 2 : 1)
    return console.ended(isMistake ? 255 : 0)
  }
}

extension ProgramText {
  /// The text with a line break for each `\n`.
  var withLineBreaks: ProgramText {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let isBreak = bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "n")
      result.append(isBreak ? UInt8(ascii: "\n") : bytes[index])
      index += isBreak ? 2 : 1
    }
    return ProgramText(result)
  }
}

extension [DialogItem] {
  /// The items, of which only the last one that is on stays on.
  fileprivate var withOneOn: [DialogItem] {
    let last = lastIndex(where: \.isOn)
    return enumerated().map { index, item in
      var item = item
      item.isOn = index == last
      return item
    }
  }
}

/// The usage message of whiptail, which it also prints if its arguments are invalid.
enum WhiptailHelp {
  static let text: ProgramText = #"""
    Box options: 
    	--msgbox <text> <height> <width>
    	--yesno  <text> <height> <width>
    	--infobox <text> <height> <width>
    	--inputbox <text> <height> <width> [init] 
    	--passwordbox <text> <height> <width> [init] 
    	--textbox <file> <height> <width>
    	--menu <text> <height> <width> <listheight> [tag item] ...
    	--checklist <text> <height> <width> <listheight> [tag item status]...
    	--radiolist <text> <height> <width> <listheight> [tag item status]...
    	--gauge <text> <height> <width> <percent>
    Options: (depend on box-option)
    	--clear				clear screen on exit
    	--defaultno			default no button
    	--default-item <string>		set default string
    	--fb, --fullbuttons		use full buttons
    	--nocancel			no cancel button
    	--yes-button <text>		set text of yes button
    	--no-button <text>		set text of no button
    	--ok-button <text>		set text of ok button
    	--cancel-button <text>		set text of cancel button
    	--noitem			don't display items
    	--notags			don't display tags
    	--separate-output		output one line at a time
    	--output-fd <fd>		output to fd, not stdout
    	--title <title>			display title
    	--backtitle <backtitle>		display backtitle
    	--scrolltext			force vertical scrollbars
    	--topleft			put window in top-left corner
    	-h, --help			print this message
    	-v, --version			print version information


    """#
}

/// The arguments of whiptail, as popt parses them: options may be at any position.
struct WhiptailArguments: Sendable, Hashable {
  /// The boxes, in the order in which they were given; more than one is a mistake.
  var boxes: [String] = []
  /// The options without a value.
  var flags: Set<String> = []
  /// The values of the options that take one; the last value applies.
  var values: [String: ProgramText] = [:]
  /// The words that are not options.
  var rest: [ProgramText] = []
  /// The first invalid argument, and the reason.
  var mistake: (ProgramText, String)? { mistaken.map { ($0.argument, $0.reason) } }

  private var mistaken: Mistake?

  private struct Mistake: Sendable, Hashable {
    var argument: ProgramText
    var reason: String
  }

  private static let boxNames: Set<String> = [
    "msgbox", "yesno", "infobox", "inputbox", "passwordbox", "textbox", "menu", "checklist", "radiolist", "gauge",
  ]
  private static let flagNames: Set<String> = [
    "clear", "defaultno", "fb", "fullbuttons", "nocancel", "noitem", "notags", "scrolltext", "separate-output", "topleft",
    "help", "version",
  ]
  private static let valueNames: Set<String> = [
    "backtitle", "default-item", "title", "output-fd", "yes-button", "no-button", "ok-button", "cancel-button",
  ]

  /// Reads the arguments.
  init(_ arguments: [ProgramText]) {
    var next = arguments[...]
    while mistaken == nil, boxes.count < 2, let argument = next.popFirst() {
      if argument == "--" {
        rest += next
        return
      }
      if argument.begins(with: "--") {
        readLong(argument, &next)
      } else if argument.begins(with: "-"), argument != "-" {
        readShort(argument)
      } else {
        rest.append(argument)
      }
    }
  }

  private mutating func readLong(_ argument: ProgramText, _ next: inout ArraySlice<ProgramText>) {
    let word = argument.bytes.dropFirst(2)
    let equals = word.firstIndex(of: UInt8(ascii: "="))
    let name = ProgramText(word[..<(equals ?? word.endIndex)]).string
    if Self.boxNames.contains(name) || Self.flagNames.contains(name) {
      guard equals == nil else {
        mistaken = Mistake(argument: argument, reason: "option does not take an argument")
        return
      }
      if Self.boxNames.contains(name) { boxes.append(name) } else { flags.insert(name) }
    } else if Self.valueNames.contains(name) {
      var value = equals.map { ProgramText(word[($0 + 1)...]) }
      var last = argument
      if value == nil {
        value = next.popFirst()
        last = value ?? argument
      }
      guard let value else {
        mistaken = Mistake(argument: argument, reason: "missing argument")
        return
      }
      values[name] = value
      guard name == "output-fd" else { return }
      guard let number = CNumber.whole(value, anyBase: true) else {
        mistaken = Mistake(argument: last, reason: "invalid numeric value")
        return
      }
      if Int32(exactly: number) == nil { mistaken = Mistake(argument: last, reason: "number too large or too small") }
    } else {
      mistaken = Mistake(argument: argument, reason: "unknown option")
    }
  }

  private mutating func readShort(_ argument: ProgramText) {
    for letter in argument.bytes.dropFirst() {
      switch letter {
      case UInt8(ascii: "h"): flags.insert("help")
      case UInt8(ascii: "v"): flags.insert("version")
      default:
        mistaken = Mistake(argument: argument, reason: "unknown option")
        return
      }
    }
  }
}
