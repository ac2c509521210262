import CPlatform
import DBus
import Glibc
import Platform
import RendererKit

/// The keeper process of a program, as `coordinatorctl` starts it.
struct KeeperProcess: Sendable {
  /// The process, which exits with the status of the program.
  let process: StartedProcess

  /// Starts a keeper, and waits until it offers the program's questions.
  ///
  /// - Parameters:
  ///   - name: name of the program.
  ///   - order: program to keep.
  ///   - user: another user, who may reach the program; nil for none.
  ///   - place: closure that moves the keeper to its control group before the keeper starts the program, whose processes
  ///     inherit the group.
  /// - Throws: ``ToolFailure``; ``ProgramNotStarted`` with the exit status of the keeper if the keeper has reported the reason.
  init(_ name: String, _ order: ProgramOrder, sharedWith user: uid_t?, place: (StartedProcess) async -> Void) async throws {
    guard let keeper = OwnProgram.helper("coordinator-keeper") else {
      throw ToolFailure(["coordinator-keeper was not found: coordinatorctl is not completely installed"])
    }
    var arguments = ["--name", name, "--size", order.size, "--hold", "\(STDIN_FILENO)"].map([CChar].init(argument:))
    if let title = order.title { arguments += ["--title", title].map([CChar].init(argument:)) }
    if let selections = order.selections { arguments += ["--selections", selections].map([CChar].init(argument:)) }
    for descriptor in order.passed { arguments += ["--pass", "\(descriptor)"].map([CChar].init(argument:)) }
    if let user { arguments += ["--share", "\(user)"].map([CChar].init(argument:)) }
    arguments += [[CChar](argument: "--")] + order.program
    var ends: [Int32] = [-1, -1], hold: [Int32] = [-1, -1]
    defer { for end in [ends[0], hold[1]] where end >= 0 { close(end) } }
    do {
      defer { for end in [ends[1], hold[0]] where end >= 0 { close(end) } }
      // A socket instead of a pipe, because writing to a pipe without a reader would end this process with SIGPIPE.
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
      guard coordinatord_pipe(&ends) == 0, socketpair(AF_UNIX, kind, 0, &hold) == 0 else {
        throw ToolFailure(["no pipe: \(String(cString: strerror(errno)))"])
      }
      let (input, output) = (hold[0], ends[1])
      process = try SudoUser.asRoot { () throws(StartedProcess.Failure) in
        try StartedProcess(keeper, arguments, input: input, output: output)
      }
    } catch let error as StartedProcess.Failure {
      throw ToolFailure(["\(error)"])
    }
    await place(process)
    var byte: UInt8 = 0
    // The end of the keeper is detected below.
    _ = coordinatord_send(hold[1], &byte, 1, nil, 0)
    guard await Self.hasByte(ends[0]) else { throw ProgramNotStarted(status: await process.status) }
  }

  /// Waits for the byte with which the keeper announces its socket; returns false if the keeper has ended without it.
  private static func hasByte(_ descriptor: Int32) async -> Bool {
    await withCheckedContinuation { continuation in
      let isReading = Thread.start(name: "keeper-start") {
        var byte: UInt8 = 0
        var count = read(descriptor, &byte, 1)
        while count < 0, errno == EINTR { count = read(descriptor, &byte, 1) }
        continuation.resume(returning: count == 1)
      }
      if !isReading { continuation.resume(returning: false) }
    }
  }
}

/// The error for a program that was not started, after its keeper has reported the reason.
struct ProgramNotStarted: Error {
  /// The exit status in the format of a shell: 126, 127, or 125 for a failure of the keeper.
  let status: Int32
}

/// The user who called sudo. This process uses that user's bus as the user, because dbus-daemon admits no other users, not even
/// root. Programs that were to be started as root are still started as root.
public enum SudoUser {
  /// Sets the effective user id to that of the user who called sudo, if the bus belongs to that user. Not for a process that
  /// other tasks use.
  ///
  /// - Parameters:
  ///   - bus: bus to connect to.
  ///   - environment: environment of the process.
  public static func become(for bus: BusAddress, environment: [String: String]) {
    guard geteuid() == 0, case .address(let address) = bus, let path = socket(in: address),
      let user = environment["SUDO_UID"].flatMap({ uid_t($0) }), user != 0
    else { return }
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == user else { return }
    seteuid(user)
  }

  /// Runs a closure as root if this process was started by root.
  static func asRoot<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
    let user = geteuid()
    guard getuid() == 0, user != 0, seteuid(0) == 0 else { return try body() }
    defer { seteuid(user) }
    return try body()
  }

  /// Returns the path of the socket in the address of a bus.
  static func socket(in address: String) -> String? {
    let pairs = address.bytes.dropping(prefix: "unix:")?.bytes.split(separator: ",") ?? []
    return pairs.lazy.compactMap { $0.bytes.dropping(prefix: "path=") }.first.map(String.init)
  }
}

/// `coordinatorctl pinentry`: shows gpg-agent's pinentry requests in every renderer.
public struct AskPassphrase: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Passes the standard streams of this process on, and waits for the end of the conversation.
  ///
  /// - Returns: the exit status.
  /// - Throws: ``ToolFailure``; nothing was read then, so that another pinentry can take over.
  public func run() async throws -> Int32 {
    // Passed descriptors are not closed in the programs that are started.
    let streams = [STDIN_FILENO, STDOUT_FILENO].map { fcntl($0, F_DUPFD, 10) }
    guard streams.allSatisfy({ $0 >= 0 }) else {
      throw ToolFailure(["a pinentry needs standard input and output: \(String(cString: strerror(errno)))"])
    }
    var order = ProgramOrder(program: (["pinentry"] + streams.map { "\($0)" }).map([CChar].init(argument:)))
    order.title = "A passphrase"
    order.passed = streams
    let signals = ProgramSignals([SIGINT, SIGTERM, SIGHUP])
    defer { signals.end() }
    do {
      let program = try await RunningProgram(order, session, signals: signals)
      for stream in streams { close(stream) }
      signals.obey(for: program)
      return (await program.ending()).status ?? 125
    } catch let error as ProgramNotStarted {
      return error.status
    }
  }

  /// Replaces this process with the pinentry of the program that has started gpg, so that the program's own flow asks; returns
  /// if there is none.
  ///
  /// - Parameter environment: environment of gpg, which gpg-agent passes on.
  public static func joinProgram(in environment: [String: String]) {
    guard let shim = environment["PINENTRY_USER_DATA"], shim.bytes.hasPrefix("/"),
      let directory = shim.bytes.cutLast(at: "/")?.before
    else { return }
    // Only a socket in a directory that no other user can write is the keeper's.
    var status = stat()
    guard lstat(shim, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid(),
      lstat(String(directory), &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else { return }
    setenv("COORDINATOR_PROGRAM", shim, 1)
    replaceProcess(by: "\(directory)/bin/pinentry", [])
  }

  /// Replaces this process with a pinentry that asks on a terminal or a desktop.
  ///
  /// - Parameters:
  ///   - names: names of programs, the first existing one of which takes over.
  ///   - arguments: arguments of the pinentry.
  public static func takeOver(by names: [String], _ arguments: [String]) {
    for name in names { replaceProcess(by: name, arguments) }
  }

  /// Replaces this process with a program; returns if there is none.
  private static func replaceProcess(by name: String, _ arguments: [String]) {
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
    execvp(name, &words)
    for word in words { free(word) }
  }
}
