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
