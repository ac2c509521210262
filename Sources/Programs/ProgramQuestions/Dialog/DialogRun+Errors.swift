extension DialogRun {
  /// Returns the exit status for an exit code of dialog, which environment variables can override.
  func code(_ code: Int) -> Int {
    let names = [
      1: "DIALOG_CANCEL", -1: "DIALOG_ERROR", 255: "DIALOG_ESC", 3: "DIALOG_EXTRA", 2: "DIALOG_HELP", 0: "DIALOG_OK",
      4: "DIALOG_ITEM_HELP", 5: "DIALOG_TIMEOUT",
    ]
    if let name = names[code], let status = status(named: name) { return status }
    return code == 4 ? self.code(2) : code
  }

  private func status(named name: String) -> Int? {
    guard let value = invocation.environment[name], !value.isEmpty else { return nil }
    return CNumber.int(value, anyBase: true)
  }

  /// Whether an environment variable holds a number.
  func hasStatus(named name: String) -> Bool { status(named: name) != nil }

  /// Ends the call with an error message.
  func failure(_ message: ProgramText, _ console: inout DialogConsole, code failed: Int = -1) -> DialogStep {
    console.write("\n" + message + "\n", to: 2)
    return console.ended(code(failed))
  }

  /// Ends the call with an error message about its arguments.
  func usage(_ message: ProgramText, _ console: inout DialogConsole) -> DialogStep {
    failure(message + ".\nUse --help to list options.\n\n", &console)
  }
}

extension ProgramText: ExpressibleByStringInterpolation {
  /// Inserts texts into a literal byte by byte.
  package struct StringInterpolation: StringInterpolationProtocol {
    var bytes: [UInt8] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package mutating func appendLiteral(_ literal: String) { bytes += literal.utf8 }
    package mutating func appendInterpolation(_ text: ProgramText) { bytes += text.bytes }
    package mutating func appendInterpolation(_ text: some StringProtocol) { bytes += text.utf8 }
    package mutating func appendInterpolation(_ number: some BinaryInteger) { bytes += String(number).utf8 }
  }

  /// Creates a text from a literal with inserted texts.
  package init(stringInterpolation: StringInterpolation) { bytes = stringInterpolation.bytes }
}
