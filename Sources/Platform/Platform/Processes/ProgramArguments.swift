import Glibc

/// The command line of this process.
package enum ProgramArguments {
  /// Ends the process if an argument is not UTF-8, because converting it to a string would change it.
  ///
  /// The arguments of other programs may be any bytes.
  ///
  /// - Parameter programs: the commands that take another program, each with the word that precedes the program; empty if the
  ///   program follows the command. Only options and their values precede a command.
  ///
  /// Source: sysexits.h, EX_USAGE.
  package static func requireUTF8(before programs: [String: String] = [:]) {
    var isCommand = true
    var last: String?
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
      if let text = String(validating: bytes, as: UTF8.self) {
        if text == last { return }
        if isCommand, let word = programs[text] {
          if word.isEmpty { return }
          last = word
        }
        let isOption = bytes.first == UInt8(ascii: "-")
        let isValue =
          index > 1 && CommandLine.unsafeArgv[index - 1].map { UInt8(bitPattern: $0[0]) == UInt8(ascii: "-") } ?? false
        isCommand = isCommand && (isOption || isValue)
        continue
      }
      let program = CommandLine.arguments.first?.bytes.split(separator: "/").last ?? ""
      let message = Array("\(program): argument \(index) is not UTF-8\n".utf8)
      _ = write(STDERR_FILENO, message, message.count)
      exit(64)
    }
  }
}
