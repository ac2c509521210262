import CPrograms
import CScripts
import Glibc
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
    coordinatord_hide_memory()
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
    let program = KeptProgram(
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
