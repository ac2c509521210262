import CPlatform
import Glibc
import Hardening
import Platform
import ProgramQuestions

/// Keeps a program: starts it, offers its questions, and ends with it.
package enum Keeper {
  /// Runs a keeper in this process, which does nothing else, until the program has ended.
  ///
  /// - Parameter options: the program and the options of the keeper.
  /// - Returns: the exit status, as in a shell.
  /// - Throws: ``KeeperFailure``.
  package static func run(_ options: KeeperOptions) throws(KeeperFailure) -> Int32 {
    let shim = options.shim ?? OwnProgram.helper("coordinator-dialog")
    ProcessHardening.forbidDumps()
    // Fails if the keeper was started as a session leader, which is the wanted state.
    setsid()
    if let hold = options.hold { try wait(for: hold) }
    // Until the program is started, signals end this process as usual, because it may wait forever here.
    var environment = ProgramVariables.own
    let isPassedOn = try DebconfCheck(environment.strings).passesOn(options.program[0].string)
    var selections: DebconfSelections?
    if let path = options.selections { selections = try Self.selections(path) }
    ProcessStart.adoptOrphans()
    let signals = coordinatord_open_signals([SIGCHLD, SIGTERM, SIGINT, SIGHUP, SIGPIPE], 5)
    guard signals >= 0 else { throw .system("signals cannot be taken") }
    let directory = try ProgramDirectory(id: options.name, isShared: options.sharedWith != nil)
    defer { directory.remove() }
    let control = try ListeningSocket("\(directory.path)/control", sharedWith: options.sharedWith)
    let calls = try ListeningSocket("\(directory.path)/shim")
    let debconf = try ListeningSocket("\(directory.path)/debconf")
    var commands: String?
    if let shim, access(shim, X_OK) == 0 { commands = try directory.link(ProgramEnvironment.shims, to: shim) }
    let trouble = commands == nil ? "coordinator-dialog was not found: whiptail, dialog and askpass ask by themselves" : nil
    let terminal = try ProgramTerminal(rows: options.rows, columns: options.columns)
    environment.strings = ProgramEnvironment.adapting(
      environment.strings, commands: commands, shim: calls.path, debconf: isPassedOn ? debconf.path : nil,
      isUnattended: selections != nil)
    let apt = AptChannel(for: options.program)
    let process = try terminal.start(apt?.arguments(of: options.program) ?? options.program, environment: environment)
    apt?.passOn()
    for descriptor in options.passed { close(descriptor) }
    announce(control.path)
    var times = KeeperState.Times()
    times.unfetched = options.keep * 1_000
    let words = options.program.map(\.string)
    let program = ProgramDescription(
      id: options.name, title: options.title ?? words.joined(separator: " "), arguments: words, user: geteuid(),
      run: String(UInt64.random(in: .min ... .max), radix: 36))
    var loop = KeeperLoop(
      KeeperState(program, rows: Int(options.rows), times: times, selections: selections),
      sockets: [(control, .control), (calls, .shim), (debconf, .debconf)], terminal: terminal, process: process,
      signals: signals)
    if let trouble { loop.take(.trouble(trouble)) }
    if let apt { loop.connect(apt.descriptor, .apt) }
    switch loop.run() {
    case .status(let status): return status
    case .signal(let signal): return 128 + signal
    case .outOfReach: return 125
    }
  }

  /// Waits until the process that started the keeper has moved it to the place where its program is to run.
  private static func wait(for hold: Int32) throws(KeeperFailure) {
    var byte: UInt8 = 0
    var count = read(hold, &byte, 1)
    while count < 0, errno == EINTR { count = read(hold, &byte, 1) }
    guard count == 1 else { throw KeeperFailure("whoever has started the keeper has gone") }
  }

  /// Reads a file with answers for debconf.
  private static func selections(_ path: String) throws(KeeperFailure) -> DebconfSelections {
    guard access(path, R_OK) == 0 else { throw .system("\(path) cannot be read") }
    return DebconfSelections(String(decoding: Files.content(path), as: UTF8.self))
  }

  /// Prints the path by which the program can be reached. The process that started the keeper may stop reading then, and need
  /// not wait for the end of the output, because the keeper may outlive the program.
  private static func announce(_ path: String) {
    let line = Array("\(path)\n".utf8)
    _ = write(STDOUT_FILENO, line, line.count)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { return }
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { dup2(nothing, number) }
    close(nothing)
  }
}

/// Keeps one program that asks users questions.
public enum CoordinatorKeeperCommand {
  /// Runs the keeper with the arguments of the process, and ends the process.
  public static func main() -> Never {
    if ["--help", "-h"].contains(CommandLine.arguments.dropFirst().first) {
      report(KeeperOptions.usage, to: STDOUT_FILENO)
      exit(0)
    }
    do throws(KeeperFailure) {
      exit(try Keeper.run(try KeeperOptions(arguments)))
    } catch {
      report("coordinator-keeper: \(error)\n", to: STDERR_FILENO)
      exit(error.status)
    }
  }

  /// The arguments, which need not be UTF-8.
  private static var arguments: [ProgramText] {
    UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst().compactMap { argument in
      argument.map { ProgramText(UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) }) }
    }
  }

  private static func report(_ text: String, to descriptor: Int32) {
    let bytes = Array(text.utf8)
    _ = write(descriptor, bytes, bytes.count)
  }
}

/// The socket to which apt writes its progress, if the program is apt itself. Another program that starts apt may close the
/// descriptor, and apt would then write to another file.
struct AptChannel {
  /// The number of the descriptor in apt.
  private static let number: Int32 = 63
  private static let commands: Set<String> = ["apt", "apt-get", "aptitude"]

  /// This process's end.
  let descriptor: Int32
  private let other: Int32

  /// Opens a channel; returns nil if the program is not apt, or the system has no descriptor left.
  init?(for program: [ProgramText]) {
    guard let command = program.first?.string.bytes.split(separator: "/").last, Self.commands.contains(String(command)) else {
      return nil
    }
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return nil }
    // The program inherits the duplicate.
    guard fcntl(Self.number, F_GETFD) < 0, dup2(ends[1], Self.number) == Self.number, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0
    else {
      for end in ends { close(end) }
      return nil
    }
    (descriptor, other) = (ends[0], ends[1])
  }

  /// Returns the program with the option that makes apt use the channel.
  func arguments(of program: [ProgramText]) -> [ProgramText] {
    program.prefix(1) + ["-o", ProgramText("APT::Status-Fd=\(Self.number)")] + program.dropFirst()
  }

  /// Closes this process's copy of the program's end.
  func passOn() {
    close(other)
    close(Self.number)
  }
}

/// A Unix stream socket that only this user, root, and at most one other user can connect to.
struct ListeningSocket {
  let descriptor: Int32
  let path: String
  private let other: UInt32?

  /// Opens a socket; replaces one that an earlier keeper has left there.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - other: another user who may connect; nil for none.
  /// - Throws: ``KeeperFailure``.
  init(_ path: String, sharedWith other: UInt32? = nil) throws(KeeperFailure) {
    (self.path, self.other) = (path, other)
    unlink(path)
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw KeeperFailure("\(path) is too long for a socket; choose a shorter name")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
    guard descriptor >= 0, status == 0, chmod(path, other == nil ? 0o600 : 0o666) == 0, listen(descriptor, 128) == 0,
      fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0
    else { throw .system("no socket can be opened at \(path)") }
  }

  /// The result of accepting a connection.
  enum Visitor: Sendable, Hashable {
    case connection(Int32)
    /// The client's user may not connect, or the client has disconnected.
    case refused
    case nobody
    /// The system lacks the resources for a connection. poll(2) keeps reporting the waiting client.
    case lacking
  }

  /// Accepts a connection.
  func accept() -> Visitor {
    let connection = coordinatord_accept(descriptor)
    guard connection >= 0 else {
      switch errno {
      case EAGAIN: return .nobody
      case EINTR, ECONNABORTED, EPERM, EPROTO: return .refused
      default: return .lacking
      }
    }
    let user = coordinatord_peer_user(connection)
    guard user == 0 || user == Int(geteuid()) || user == other.map(Int.init), fcntl(connection, F_SETFL, O_NONBLOCK) == 0 else {
      close(connection)
      return .refused
    }
    return .connection(connection)
  }
}

/// Checks whether debconf can pass its questions on.
struct DebconfCheck {
  private let environment: [String: String]

  /// Creates a check.
  ///
  /// - Parameter environment: the environment of the caller.
  init(_ environment: [String: String]) {
    self.environment = DebconfEnvironment.adapting(environment, socket: "")
  }

  /// Returns whether a program's packages can ask through the keeper; otherwise debconf asks by whiptail, if at all.
  ///
  /// - Parameter program: the program.
  /// - Returns: whether they can.
  /// - Throws: ``KeeperFailure``, if packages would be configured without asking.
  func passesOn(_ program: String) throws(KeeperFailure) -> Bool {
    let problems = DebconfRequirement.problems(starting: program, isMet: isMet)
    if let fatal = problems.first(where: \.isFatal) { throw KeeperFailure(fatal.sentence) }
    // Without apt-utils, packages ask later, but still through the keeper.
    return problems.allSatisfy { $0.requirement == .aptUtils }
  }

  private func isMet(_ requirement: DebconfRequirement) -> Bool {
    switch requirement.probe {
    case .file(let path): access(path, R_OK) == 0
    case .command(let words): run(words) != nil
    case .output(let words, let line): run(words) == "\(line)\n"
    // The socket listens before the program is started.
    case .listening: true
    }
  }

  /// Returns the output of a command; nil if the command fails.
  private func run(_ words: [String]) -> String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    defer { close(ends[0]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let variables = environment.map { [CChar](argument: "\($0.key)=\($0.value)") }
    let process = try? ProcessStart.start(
      words[0], words.map([CChar].init(argument:)), environment: variables, .searched
    ) { actions in
      for number: Int32 in [0, 2] { actions.open(number, "/dev/null", O_RDWR) }
      actions.pass(ends[1], as: 1)
    }
    close(ends[1])
    guard let process else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1_024)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return ProcessStart.wait(for: process) == 0 ? String(decoding: bytes, as: UTF8.self) : nil
  }
}

/// The reason why a program cannot be kept.
package struct KeeperFailure: Error, Sendable, CustomStringConvertible {
  package let description: String
  /// The exit status of the keeper: 125 for its own failures, 126 and 127 for the program's, as in `env`.
  package let status: Int32

  init(_ description: String, status: Int32 = 125) { (self.description, self.status) = (description, status) }

  /// Returns the failure of a system call, with the text for `errno`.
  static func system(_ what: String, _ error: Int32 = errno) -> KeeperFailure {
    KeeperFailure("\(what): \(String(cString: strerror(error)))")
  }
}
