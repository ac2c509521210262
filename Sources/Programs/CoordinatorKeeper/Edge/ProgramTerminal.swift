import CPlatform
import Glibc
import Platform
import ProgramQuestions

/// The pseudoterminal of a program, and the program that runs on it.
struct ProgramTerminal {
  /// The controlling side of the terminal.
  let descriptor: Int32
  /// The program's side, kept open: otherwise reading from the other side fails while no process has it open.
  private let other: Int32
  private let path: String

  /// Opens a terminal.
  init(rows: UInt16, columns: UInt16) throws(KeeperFailure) {
    var other = Int32(-1)
    var path = [CChar](repeating: 0, count: 128)
    descriptor = coordinatord_open_terminal(rows, columns, &other, &path, path.count)
    guard descriptor >= 0 else { throw .system("no terminal can be opened") }
    self.other = other
    self.path = String(decoding: path.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Starts a program in its own session, with this terminal as the controlling one.
  ///
  /// - Parameters:
  ///   - arguments: the command and its arguments.
  ///   - environment: all variables; its PATH finds the command.
  /// - Returns: the process.
  /// - Throws: ``KeeperFailure``.
  func start(_ arguments: [ProgramText], environment: ProgramVariables) throws(KeeperFailure) -> pid_t {
    let command = arguments.first?.string ?? ""
    guard let file = Self.find(command, in: environment["PATH"] ?? "/usr/bin:/bin") else {
      throw KeeperFailure("'\(command)' was not found", status: 127)
    }
    let variables = Self.copies(of: environment.entries)
    func start(_ file: String, _ arguments: [ProgramText]) throws(ProcessStart.Failure) -> pid_t {
      try ProcessStart.start(file, Self.copies(of: arguments), environment: variables, .ownSession) { actions in
        // The first terminal that a session leader opens becomes its controlling terminal.
        actions.open(0, path, O_RDWR)
        for number: Int32 in [1, 2] { actions.pass(0, as: number) }
      }
    }
    do throws(ProcessStart.Failure) {
      do throws(ProcessStart.Failure) {
        return try start(file, arguments)
      } catch  where error.code == ENOEXEC {
        // The file is a script without a first line that names its interpreter.
        return try start("/bin/sh", ["/bin/sh", ProgramText(file)] + arguments.dropFirst())
      }
    } catch {
      throw KeeperFailure("'\(command)' cannot be started: \(error)", status: 126)
    }
  }

  private static func copies(of texts: [ProgramText]) -> [[CChar]] {
    texts.map { text in text.bytes.map { CChar(bitPattern: $0) } + [0] }
  }

  private static func find(_ command: String, in path: String) -> String? {
    if command.bytes.contains("/") { return access(command, F_OK) == 0 ? command : nil }
    guard !command.isEmpty else { return nil }
    for directory in path.bytes.split(separator: ":", omittingEmptySubsequences: false) {
      let file = directory.isEmpty ? command : "\(directory)/\(command)"
      var status = stat()
      if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(file, X_OK) == 0 { return file }
    }
    return nil
  }

  /// Hangs up the terminal of the program.
  func hangUp() {
    close(descriptor)
    close(other)
  }
}

/// The environment of a program. Variables that are not changed keep their bytes, which need not be UTF-8.
struct ProgramVariables {
  private let given: [String: ProgramText]
  /// The variables as strings, in which U+FFFD replaces bytes that are not UTF-8.
  var strings: [String: String]

  /// The environment of this process.
  static var own: ProgramVariables {
    var given: [String: ProgramText] = [:]
    var entry = environ
    while let text = entry.pointee {
      let bytes = UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) }
      if let equals = bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: bytes[..<equals], as: UTF8.self)
        given[name] = given[name] ?? ProgramText(bytes[(equals + 1)...])
      }
      entry += 1
    }
    return ProgramVariables(given)
  }

  init(_ given: [String: ProgramText]) { (self.given, strings) = (given, given.mapValues(\.string)) }

  subscript(name: String) -> String? { strings[name] }

  /// The variables in the form that a program receives.
  var entries: [ProgramText] {
    strings.map { name, value in
      let unchanged = given[name].flatMap { $0.string.bytes.equals(value) ? $0 : nil }
      return ProgramText("\(name)=".utf8 + (unchanged?.bytes ?? Array(value.utf8)))
    }
  }
}
