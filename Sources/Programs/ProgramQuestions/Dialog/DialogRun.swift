import Platform

/// A call of dialog 1.3-20230209, evaluated in the order of its source.
struct DialogRun {
  let invocation: DialogInvocation
  var arguments = DialogArguments(options: [])
  /// The options for the box that is being read.
  var settings = DialogSettings()
  /// The file descriptor for results.
  var output: Int32 = 2
  /// The separator between the results of several boxes.
  var widgetSeparator: ProgramText?
  /// The number of boxes with a result so far.
  var resultCount = 0
  /// The options of `DIALOGOPTS`.
  private var usual = DialogArguments(options: [])

  init(_ invocation: DialogInvocation) { self.invocation = invocation }

  /// Evaluates the call.
  ///
  /// - Parameter console: the inputs and outputs of the call.
  /// - Throws: the next step.
  mutating func run(on console: inout DialogConsole) throws(DialogStep) -> Never {
    if let options = invocation.environment["DIALOGOPTS"] { usual = DialogArguments(options: DialogWords.split(options)) }
    try beginBox(&console)
    arguments = try DialogArguments(invocation.arguments, of: self, on: &console)
    try takeOutputOptions(&console)
    try beginBox(&console)
    try answerWithoutBox(&console)
    let first = try readOptions(from: 0, writes: true, &console)
    if first >= arguments.count { throw console.ended(code(0)) }
    throw try runBoxes(after: first, &console)
  }

  /// Resets the options that apply to one box only.
  mutating func beginBox(_ console: inout DialogConsole) throws(DialogStep) {
    settings = DialogSettings()
    guard usual.count > 0 else { return }
    let given = arguments
    arguments = usual
    _ = try readOptions(from: 0, writes: false, &console)
    arguments = given
  }

  /// Takes the options that set the output for results, at any position.
  private mutating func takeOutputOptions(_ console: inout DialogConsole) throws(DialogStep) {
    var index = 0
    while index < arguments.count {
      var length = 1
      switch arguments.option(at: index)?.code {
      case "stdout": output = 1
      case "stderr": output = 2
      case "output-fd", "input-fd":
        let number = try number(after: index, &console)
        guard number >= 0 else { throw failure("Cannot open \(arguments.option(at: index)?.code ?? "")\n", &console) }
        if arguments.option(at: index)?.code == "output-fd" {
          output = Int32(truncatingIfNeeded: number)
          if invocation.writable?.contains(output) == false { throw failure("Cannot open output-fd\n", &console) }
        }
        length = 2
      case "keep-tite": break
      case "version":
        console.write("Version: 1.3-20230209\n", to: 1)
        throw console.ended(code(0))
      case "help": throw help(&console)
      case "trace" where index == 0:
        _ = try string(after: index, &console)
        length = 2
      default:
        index += 1
        continue
      }
      arguments.words.removeSubrange(index..<(index + length))
    }
  }

  /// Handles calls without a box.
  private func answerWithoutBox(_ console: inout DialogConsole) throws(DialogStep) {
    if arguments.count > 1 {
      if arguments.option(at: 0)?.code == "create-rc" { throw console.refused("dialog", "--create-rc is not supported here") }
      return
    }
    guard arguments.count == 1 else { throw help(&console) }
    switch arguments.option(at: 0)?.code {
    case "print-maxsize": console.write(ProgramText(maximumSize), to: output)
    case "print-version": console.write("Version: 1.3-20230209\n", to: output)
    case "clear", "ignore": break
    default: throw help(&console)
    }
    throw console.ended(code(0))
  }

  private var maximumSize: String { "MaxSize: \(invocation.lines), \(invocation.columns)\n" }

  private func help(_ console: inout DialogConsole) -> DialogStep {
    console.write(DialogHelp.text, to: 1)
    return console.ended(code(0))
  }

  /// Reads the options before a box.
  ///
  /// - Parameters:
  ///   - start: the index of the first option.
  ///   - writes: whether options that print do print.
  ///   - console: the inputs and outputs of the call.
  /// - Returns: the index of the first word that is not such an option.
  /// - Throws: the end of the call, if a value is wrong.
  mutating func readOptions(from start: Int, writes: Bool, _ console: inout DialogConsole) throws(DialogStep) -> Int {
    var index = start
    while let word = arguments[index], let option = DialogOption.find(word, pass: 1) {
      var length = 1
      switch option.kind {
      case .flag: settings.set(option.code, option.flag(as: word))
      case .number:
        settings.set(option.code, try number(after: index, &console))
        length = 2
      case .string:
        let value = try string(after: index, &console)
        settings.set(option.code, value)
        if option.code == "separate-widget" { widgetSeparator = value }
        if option.code == "default-button" { settings.defaultButton = try button(value, &console) }
        length = 2
      case .box, .other: break
      }
      switch option.code {
      case "defaultno": settings.defaultButton = .cancel
      case "begin" where option.name == "begin":
        _ = try number(after: index, &console)
        _ = try number(after: index + 1, &console)
        length = 3
      case "print-maxsize" where writes:
        console.write("MaxSize: 0, 0\n", to: output)
      case "print-version" where writes: console.write("Version: 1.3-20230209\n", to: output)
      case "print-text-only", "print-text-size", "print-size":
        throw console.refused("dialog", "--\(option.code) is not supported here")
      case "trace": length = 2
      default: break
      }
      index += length
    }
    return index
  }

  private func button(_ name: ProgramText, _ console: inout DialogConsole) throws(DialogStep) -> DialogButton.Role {
    let roles: [(String, DialogButton.Role)] = [
      ("ok", .okay), ("yes", .okay), ("cancel", .cancel), ("no", .cancel), ("help", .help), ("extra", .extra),
    ]
    guard let role = roles.first(where: { name.matches($0.0) })?.1 else {
      throw usage("Button name \"" + name.first(20) + "\" unknown", &console)
    }
    return role
  }

  private func string(after index: Int, _ console: inout DialogConsole) throws(DialogStep) -> ProgramText {
    guard let value = arguments[index + 1] else {
      throw usage("Expected a string-parameter for " + (arguments[index] ?? "").first(20), &console)
    }
    return value
  }

  private func number(after index: Int, _ console: inout DialogConsole) throws(DialogStep) -> Int {
    guard let value = arguments[index + 1], let number = CNumber.int(value, anyBase: true) else {
      throw usage("Expected a numeric-parameter for " + (arguments[index] ?? "").first(20), &console)
    }
    return number
  }
}

/// The arguments of dialog, consumed from left to right.
struct DialogArguments: Sendable, Hashable {
  /// A word, and whether it can end a box as an option: a word after `--` cannot.
  struct Word: Sendable, Hashable {
    var text: ProgramText
    var isOption: Bool
  }

  /// The words, without the program's name.
  var words: [Word] = []

  var count: Int { words.count }

  /// The word at an index; nil after the last.
  subscript(index: Int) -> ProgramText? { words.indices.contains(index) ? words[index].text : nil }

  /// Returns the name of the option at an index; nil if the word is not an option.
  func option(at index: Int, pass: Int = 7) -> DialogOption? { self[index].flatMap { DialogOption.find($0, pass: pass) } }

  /// Returns the number of words from an index up to the next option, including the word at the index.
  func rest(at index: Int) -> Int {
    var end = index + 1
    while end < words.count, !words[end].isOption || option(at: end) == nil { end += 1 }
    return end - index
  }

  /// Reads the arguments: `--` escapes the next one, the words of a file replace `--file`, and `--args` prints the arguments.
  ///
  /// - Parameters:
  ///   - given: the arguments.
  ///   - program: the run that ends if an argument is invalid.
  ///   - console: the inputs and outputs of the call.
  /// - Throws: the next step, if a file is needed or cannot be read.
  init(_ given: [ProgramText], of program: DialogRun, on console: inout DialogConsole) throws(DialogStep) {
    var rest = given[...]
    var files = 0
    while let word = rest.popFirst() {
      switch word {
      case "--":
        if let next = rest.popFirst() { words.append(Word(text: next, isOption: false)) }
      case "--args":
        console.write(ProgramText("Showing arguments at arg\(words.count + 1)\n arg0:dialog\n"), to: 2)
        let all = words.map(\.text) + [word] + rest
        for (index, text) in all.enumerated() { console.write(ProgramText(" arg\(index + 1):") + text + "\n", to: 2) }
      case "--file":
        files += 1
        guard files <= 20 + given.count else { throw program.failure("Too many --file options", &console) }
        guard let path = rest.popFirst() else { throw program.failure("No value given for --file", &console) }
        let isDescriptor = path.begins(with: "&")
        let number = CNumber(ProgramText(path.bytes.dropFirst())).value
        let descriptor = Int32(truncatingIfNeeded: number)
        let input = try console.take(isDescriptor ? .readDescriptor(descriptor) : .read(path, .whole))
        guard case .file(let bytes) = input else { throw program.failure("Cannot open --file " + path, &console) }
        rest = (DialogWords.split(ProgramText(bytes.prefix { $0 != 0 })) + rest)[...]
      default:
        let isOption = word.begins(with: "--") && word.bytes.count > 2 && word.bytes[2].isASCIILetter
        words.append(Word(text: word, isOption: isOption))
      }
    }
  }

  /// Creates arguments from the options in `DIALOGOPTS`.
  init(options: [ProgramText]) { words = options.map { Word(text: $0, isOption: true) } }
}

/// The output of `dialog --help`.
enum DialogHelp {
  static let text: ProgramText = #"""
    cdialog (ComeOn Dialog!) version 1.3-20230209
    Copyright 2000-2022,2023 Thomas E. Dickey
    This is free software; see the source for copying conditions.  There is NO
    warranty; not even for MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.

    * Display dialog boxes from shell scripts *

    Usage: dialog <options> { --and-widget <options> }
    where options are "common" options, followed by "box" options

    Special options:
      [--create-rc "file"]
    Common options:
      [--ascii-lines] [--aspect <ratio>] [--backtitle <backtitle>] [--beep]
      [--beep-after] [--begin <y> <x>] [--cancel-label <str>] [--clear]
      [--colors] [--column-separator <str>] [--cr-wrap] [--cursor-off-label]
      [--date-format <str>] [--default-button <str>] [--default-item <str>]
      [--defaultno] [--erase-on-exit] [--exit-label <str>] [--extra-button]
      [--extra-label <str>] [--help-button] [--help-label <str>]
      [--help-status] [--help-tags] [--hfile <str>] [--hline <str>]
      [--ignore] [--input-fd <fd>] [--insecure] [--item-help] [--keep-tite]
      [--keep-window] [--last-key] [--max-input <n>] [--no-cancel]
      [--no-collapse] [--no-hot-list] [--no-items] [--no-kill]
      [--no-label <str>] [--no-lines] [--no-mouse] [--no-nl-expand]
      [--no-ok] [--no-shadow] [--no-tags] [--ok-label <str>]
      [--output-fd <fd>] [--output-separator <str>] [--print-maxsize]
      [--print-size] [--print-text-only <text> <height> <width>]
      [--print-text-size <text> <height> <width>] [--print-version] [--quoted]
      [--reorder] [--scrollbar] [--separate-output] [--separate-widget <str>]
      [--single-quoted] [--size-err] [--sleep <secs>] [--stderr] [--stdout]
      [--tab-correct] [--tab-len <n>] [--time-format <str>] [--timeout <secs>]
      [--title <title>] [--trace <file>] [--trim] [--version] [--visit-items]
      [--week-start <str>] [--yes-label <str>]
    Box options:
      --buildlist    <text> <height> <width> <list-height> <tag1> <item1> <status1>...
      --calendar     <text> <height> <width> <day> <month> <year>
      --checklist    <text> <height> <width> <list height> <tag1> <item1> <status1>...
      --dselect      <directory> <height> <width>
      --editbox      <file> <height> <width>
      --form         <text> <height> <width> <form height> <label1> <l_y1> <l_x1> <item1> <i_y1> <i_x1> <flen1> <ilen1>...
      --fselect      <filepath> <height> <width>
      --gauge        <text> <height> <width> [<percent>]
      --infobox      <text> <height> <width>
      --inputbox     <text> <height> <width> [<init>]
      --inputmenu    <text> <height> <width> <menu height> <tag1> <item1>...
      --menu         <text> <height> <width> <menu height> <tag1> <item1>...
      --mixedform    <text> <height> <width> <form height> <label1> <l_y1> <l_x1> <item1> <i_y1> <i_x1> <flen1> <ilen1> <itype>...
      --mixedgauge   <text> <height> <width> <percent> <tag1> <item1>...
      --msgbox       <text> <height> <width>
      --passwordbox  <text> <height> <width> [<init>]
      --passwordform <text> <height> <width> <form height> <label1> <l_y1> <l_x1> <item1> <i_y1> <i_x1> <flen1> <ilen1>...
      --pause        <text> <height> <width> <seconds>
      --prgbox       <text> <command> <height> <width>
      --programbox   <text> <height> <width>
      --progressbox  <text> <height> <width>
      --radiolist    <text> <height> <width> <list height> <tag1> <item1> <status1>...
      --rangebox     <text> <height> <width> <min-value> <max-value> <default-value>
      --tailbox      <file> <height> <width>
      --tailboxbg    <file> <height> <width>
      --textbox      <file> <height> <width>
      --timebox      <text> <height> <width> <hour> <minute> <second>
      --treeview     <text> <height> <width> <list-height> <tag1> <item1> <status1> <depth1>...
      --yesno        <text> <height> <width>

    Auto-size with height and width = 0. Maximize with height and width = -1.
    Global-auto-size if also menu_height/list_height = 0.

    """#
}
