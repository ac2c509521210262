import Platform

/// A call of whiptail or dialog, which the shim sends first.
package struct DialogInvocation: Sendable, Hashable {
  /// The program that was called.
  package enum Program: String, Sendable, Hashable {
    case whiptail, dialog
  }

  /// The program that was called.
  package var program: Program
  /// The arguments, without the program's name.
  package var arguments: [ProgramText]
  /// The environment variables whose names begin with `DIALOG`.
  package var environment: [String: ProgramText]
  /// The name of the running program for users, which is the title of boxes without one.
  package var programTitle = ""
  /// The size of the terminal.
  package var lines: Int, columns: Int
  /// The file descriptors that are open for writing; nil if unknown.
  package var writable: Set<Int32>?

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - program: the program that was called.
  ///   - arguments: the arguments, without the program's name.
  ///   - environment: the environment variables whose names begin with `DIALOG`.
  ///   - lines: the height of the terminal.
  ///   - columns: the width of the terminal.
  package init(
    _ program: Program, _ arguments: [ProgramText], environment: [String: ProgramText] = [:], lines: Int = 24, columns: Int = 80
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    (self.lines, self.columns) = (lines, columns)
  }

  /// Returns the next step of the call, or its end.
  ///
  /// A pure function that evaluates the call from its start each time, with all inputs so far. A keeper therefore stores only
  /// the invocation and the inputs.
  ///
  /// - Parameter inputs: the inputs that the call has received, in the order of its steps.
  /// - Returns: the next step.
  package func step(after inputs: [DialogInput]) -> DialogStep {
    var console = DialogConsole(inputs: inputs[...])
    do throws(DialogStep) {
      switch program {
      case .whiptail:
        var run = WhiptailRun(self)
        try run.run(on: &console)
      case .dialog:
        var run = DialogRun(self)
        try run.run(on: &console)
      }
    } catch { return error }
  }
}

/// The next input that a call of whiptail or dialog needs, or its end.
///
/// An error, so that the evaluation of a call reads like the program: it stops at the first missing input.
package enum DialogStep: Error, Sendable, Hashable {
  /// An answer to a question; the input is ``DialogInput/answer(_:)``.
  case ask(ProgramQuestion)
  /// A box that needs no answer. It stays for some seconds if the program asks for that, and is visible until the next
  /// question; the input is ``DialogInput/shown``.
  case show(ProgramQuestion, seconds: Int)
  /// A gauge or a box of lines that follows the standard input to its end; the input is ``DialogInput/endOfInput``.
  case follow(DialogBox, DialogFeed)
  /// The contents of a file; the input is ``DialogInput/file(_:)`` or ``DialogInput/failure(_:)``.
  case read(ProgramText, DialogFile)
  /// The remaining contents of a file descriptor of the caller; the inputs are the same as for a file.
  case readDescriptor(Int32)
  /// The call ends.
  case end(CommandResult)
}

/// The part of a file that a call needs.
package enum DialogFile: Sendable, Hashable {
  /// The whole file.
  case whole
  /// The whole file, if it is a regular file.
  case regular
  /// The beginning of the file: it is only shown, and the rest is cut.
  case start

  /// The request to the shim.
  var request: String {
    switch self {
    case .whole: "read"
    case .regular: "read-regular"
    case .start: "read-start"
    }
  }
}

/// The format of a box's standard input.
package enum DialogFeed: Sendable, Hashable {
  /// Percentages and texts.
  case gauge(GaugeDialect, GaugeProgress)
  /// Lines to show.
  case lines
}

/// An input to a call of whiptail or dialog.
package enum DialogInput: Sendable, Hashable {
  /// An answer to the question.
  case answer(ProgramAnswer)
  /// The box was shown.
  case shown
  /// The standard input has ended.
  case endOfInput
  /// The contents of the file.
  case file([UInt8])
  /// The reason why the file cannot be read, as `strerror` returns it.
  case failure(ProgramText)
}

/// An argument, a file name or an output of a program: bytes that need not be UTF-8.
///
/// Compared byte by byte, unlike `String`.
package struct ProgramText: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The bytes, without a terminating NUL.
  package var bytes: [UInt8]

  /// Creates a text from bytes.
  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Creates a text from a string, as UTF-8.
  package init(_ string: String) { bytes = Array(string.utf8) }

  /// Creates a text from a literal.
  package init(stringLiteral value: String) { bytes = Array(value.utf8) }

  /// Whether the text has no bytes.
  package var isEmpty: Bool { bytes.isEmpty }

  /// The text as a string, in which U+FFFD replaces bytes that are not UTF-8.
  package var string: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the text begins with the bytes of another one.
  func begins(with prefix: String) -> Bool { bytes.starts(with: prefix.utf8) }

  /// The first bytes, as `%.*s` prints them.
  func first(_ count: Int) -> ProgramText { ProgramText(bytes.prefix(max(count, 0))) }

  /// Whether both texts are equal, ignoring the case of ASCII letters.
  func matches(_ other: String) -> Bool {
    bytes.count == other.utf8.count && zip(bytes, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
  }

  static func + (left: ProgramText, right: ProgramText) -> ProgramText { ProgramText(left.bytes + right.bytes) }
}

extension UInt8 {
  /// Whether the byte is a blank or a tab, as in `isblank`.
  var isBlank: Bool { self == 0x20 || self == 0x09 }
}

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
