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

/// The names of programs that run detached, each of which is also the name of a directory.
package enum ProgramName {
  /// The maximum length of a name, in bytes.
  private static let longest = 64

  /// Returns whether a text can be a name: letters, digits, `-`, `_` and `.` in ASCII, with a letter or a digit at the start.
  package static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= longest, isAlphanumeric(first) else { return false }
    return text.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }
}

/// The executable of this process, and the programs that are installed with it.
package enum OwnProgram {
  /// The directory of the executable, without symbolic links and without a slash at the end; nil if it cannot be determined,
  /// for example without `/proc`.
  ///
  /// An upgrade that replaces the executable of a running process does not change it.
  package static let directory: String? = {
    guard let bytes = file else { return nil }
    return bytes.lastIndex(of: UInt8(ascii: "/")).map { String(decoding: bytes[..<$0], as: UTF8.self) }
  }()

  /// Whether another program has replaced the executable since this process was started, as an upgrade or a downgrade does. An
  /// executable that was only removed does not count as replaced, because there is no successor.
  package static var isReplaced: Bool { file.map(isReplaced(_:)) ?? false }

  /// Returns whether a path, as the kernel reports it, is that of a removed file whose place another program has taken.
  ///
  /// Source: proc(5), `/proc/pid/exe`.
  static func isReplaced(_ file: [UInt8]) -> Bool {
    let mark = Array(" (deleted)".utf8)
    guard file.count > mark.count, Array(file.suffix(mark.count)) == mark else { return false }
    return access(String(decoding: file.dropLast(mark.count), as: UTF8.self), X_OK) == 0
  }

  /// The path of the executable, as the kernel reports it.
  private static var file: [UInt8]? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    guard count > 0, count < path.count else { return nil }
    return path[..<count].map(UInt8.init(bitPattern:))
  }

  /// The directories of helper programs, which users do not start: this program's directory, as after a build, and those of an
  /// installation.
  private static var helperDirectories: [String] {
    guard let directory else { return [] }
    return [directory, "\(directory)/../libexec/coordinatord", "\(directory)/../lib/coordinatord"]
  }

  /// Returns the path of a helper program.
  ///
  /// - Parameter name: the program's name, which may be preceded by a directory.
  /// - Returns: the path; nil if no directory contains the program.
  package static func helper(_ name: String) -> String? {
    helperDirectories.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
