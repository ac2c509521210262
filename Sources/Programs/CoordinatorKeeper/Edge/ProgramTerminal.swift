import CPrograms
import Glibc
import ProgramQuestions

/// The pseudoterminal of a program, and the program on it.
struct ProgramTerminal {
  /// The side that controls the terminal.
  let descriptor: Int32
  /// The program's side, kept open: otherwise the other side reports an error while no process has it open.
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

  /// Starts a program in a session of its own, whose terminal this is.
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
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that the leader of a session opens becomes its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    for number in [1, 2] { posix_spawn_file_actions_adddup2(&actions, 0, Int32(number)) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t(), all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | Self.newSession)
    var argv = Self.copies(of: arguments)
    var shell = Self.copies(of: ["/bin/sh", ProgramText(file)] + arguments.dropFirst())
    var variables = Self.copies(of: environment.entries)
    defer { for text in argv + shell + variables { free(text) } }
    var process = pid_t()
    var status = posix_spawn(&process, file, &actions, &attributes, &argv, &variables)
    // A script without a first line that names its interpreter.
    if status == ENOEXEC { status = posix_spawn(&process, "/bin/sh", &actions, &attributes, &shell, &variables) }
    guard status == 0 else {
      throw KeeperFailure("'\(command)' cannot be started: \(String(cString: strerror(status)))", status: 126)
    }
    return process
  }

  private static func copies(of texts: [ProgramText]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in
      let bytes = text.bytes.map { CChar(bitPattern: $0) } + [0]
      return bytes.withUnsafeBufferPointer { $0.baseAddress.flatMap { strdup($0) } }
    } + [nil]
  }

  /// POSIX_SPAWN_SETSID, which the Glibc module lacks.
  private static let newSession: Int16 = 0x80

  private static func find(_ command: String, in path: String) -> String? {
    if command.contains("/") { return access(command, F_OK) == 0 ? command : nil }
    guard !command.isEmpty else { return nil }
    for directory in path.split(separator: ":", omittingEmptySubsequences: false) {
      let file = directory.isEmpty ? command : "\(directory)/\(command)"
      var status = stat()
      if stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(file, X_OK) == 0 { return file }
    }
    return nil
  }

  /// Takes the terminal away from the program.
  func hangUp() {
    close(descriptor)
    close(other)
  }
}
