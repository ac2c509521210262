import CPlatform
import Glibc

/// Starts programs in a defined state: no signal is blocked or ignored, and the nice value is that of this process, not that of
/// the calling thread. If the thread's nice value is higher and the system does not permit lowering it, the program has the
/// thread's value.
///
/// Source: CAP_SYS_NICE in capabilities(7), RLIMIT_NICE in getrlimit(2).
package enum ProcessStart {
  /// The reason why a program cannot be started.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of errno(3).
    package let code: Int32

    /// Creates a failure with the code of errno(3).
    package init(code: Int32) { self.code = code }

    package var description: String { String(cString: strerror(code)) }
  }

  /// Optional properties of a started program.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The program begins a new session without a terminal.
    package static let ownSession = Traits(rawValue: 1)
    /// The program begins a new process group.
    package static let ownGroup = Traits(rawValue: 2)
    /// If its name contains no slash, the program is searched in the `PATH` of this process.
    package static let searched = Traits(rawValue: 4)
    /// All descendants of the program remain its descendants, including those that begin a new session and clear their
    /// environment.
    ///
    /// Source: PR_SET_CHILD_SUBREAPER in prctl(2).
    package static let reaper = Traits(rawValue: 8)
    /// The program is killed when the thread that started it ends, at the latest when this process ends.
    ///
    /// Source: PR_SET_PDEATHSIG in prctl(2).
    package static let endsWithThread = Traits(rawValue: 16)
  }

  /// The number of attempts to start a program whose file is being written, and the time between them in microseconds.
  private static let (tries, pause) = (50, UInt32(20_000))
  /// The started processes that have not been waited for.
  private static let children = Lock<Set<pid_t>>([])

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: its arguments, beginning with its name, each with a terminating zero.
  ///   - environment: all its variables, such as `HOME=/root`, each with a terminating zero; nil for those of this process.
  ///   - traits: the optional properties of the program.
  ///   - prepare: a closure that sets the program's descriptors and directory; by default they are those of this process.
  /// - Returns: the process id. The caller must wait for the process.
  /// - Throws: ``Failure``.
  package static func start(
    _ path: String, _ arguments: [[CChar]], environment: [[CChar]]? = nil, _ traits: Traits = [],
    _ prepare: (inout ProcessPreparation) -> Void
  ) throws(Failure) -> pid_t {
    var preparation = ProcessPreparation()
    prepare(&preparation)
    let texts = preparation.actions.map { $0.path.map { strdup($0) } ?? nil }
    let actions = zip(preparation.actions, texts).map { action, path in
      process_action(kind: action.kind, number: action.number, value: action.value, path: path)
    }
    let argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
    defer { for text in texts + argv + variables { free(text) } }
    var process = pid_t()
    func start() -> Int32 {
      path.withCString { path in
        actions.withUnsafeBufferPointer { actions in
          argv.withUnsafeBufferPointer { argv in
            variables.withUnsafeBufferPointer { variables in
              var order = process_order()
              (order.path, order.arguments) = (path, argv.baseAddress)
              order.environment = environment == nil ? nil : variables.baseAddress
              (order.actions, order.count) = (actions.baseAddress, actions.count)
              (order.has_session, order.has_group) = (traits.contains(.ownSession), traits.contains(.ownGroup))
              (order.is_searched, order.is_reaper) = (traits.contains(.searched), traits.contains(.reaper))
              order.ends_with_thread = traits.contains(.endsWithThread)
              // The lock keeps code that searches for unknown children from finding this one before it is recorded.
              return children.withLock { children in
                let status = process_start(&order, &process)
                if status == 0 { children.insert(process) }
                return status
              }
            }
          }
        }
      }
    }
    var status = start()
    // An editor that saves the file has it open for a moment.
    for _ in 0..<tries where status == ETXTBSY {
      usleep(pause)
      status = start()
    }
    guard status == 0 else { throw Failure(code: status) }
    return process
  }

  /// Waits for the end of a process that ``start(_:_:environment:_:_:)`` has started. Blocks the thread.
  ///
  /// - Parameter process: the process id.
  /// - Returns: the status in the format of waitpid(2); 0 if other code has already waited for the process.
  @discardableResult
  package static func wait(for process: pid_t) -> Int32 {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return children.withLock { children in
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      children.remove(process)
      return status
    }
  }

  /// Returns the processes that were started here and have not been waited for.
  ///
  /// - Parameter processes: the process ids.
  /// - Returns: the ids of those processes.
  package static func own(of processes: Set<pid_t>) -> Set<pid_t> { children.withLock { $0.intersection(processes) } }

  /// Makes orphaned descendants children of this process. The caller must wait for them.
  package static func adoptOrphans() { process_adopt() }
}

/// The steps to perform in a new process before its program begins, in order.
package struct ProcessPreparation: Sendable {
  struct Action: Sendable {
    let kind: process_action_kind
    let number: Int32
    let value: Int32
    let path: String?
  }

  private(set) var actions: [Action] = []

  init() {}

  /// Opens a file as a descriptor of the program.
  ///
  /// - Parameters:
  ///   - number: the descriptor in the program.
  ///   - path: the path of the file.
  ///   - flags: the flags of open(2).
  package mutating func open(_ number: Int32, _ path: String, _ flags: Int32) {
    actions.append(Action(kind: process_open, number: number, value: flags, path: path))
  }

  /// Passes a descriptor of this process to the program.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor in this process, or one that an earlier step has prepared.
  ///   - number: the descriptor in the program.
  package mutating func pass(_ descriptor: Int32, as number: Int32) {
    actions.append(Action(kind: process_duplicate, number: number, value: descriptor, path: nil))
  }

  /// Starts the program in a directory.
  ///
  /// - Parameter directory: the path of the directory.
  package mutating func enter(_ directory: String) {
    actions.append(Action(kind: process_directory, number: 0, value: 0, path: directory))
  }
}

extension [CChar] {
  /// Creates the bytes of a text, with a terminating zero.
  package init(argument: String) { self = Array(argument.utf8CString) }
}

/// A program that has exited, and its complete output.
package struct FinishedProcess: Sendable {
  /// The bytes that it wrote to standard output.
  package private(set) var output: [UInt8] = []
  /// The bytes that it wrote to standard error.
  package private(set) var errors: [UInt8] = []
  /// Its exit status, or 128 plus the number of the signal that ended it.
  package private(set) var status: Int32 = 0

  /// Runs a program and waits until it has exited and both outputs have ended. Blocks the thread.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: its arguments, beginning with its name.
  ///   - environment: all its variables; nil for those of this process.
  ///   - input: a closure that writes the program's standard input to a descriptor; nil for no input. It runs before any output
  ///     is read, so the input must fit into a pipe.
  /// - Throws: ``ProcessStart/Failure``.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil, input: ((Int32) -> Void)? = nil
  ) throws(ProcessStart.Failure) {
    let (incoming, outgoing, complaints) = (try Pipe(), try Pipe(), try Pipe())
    let process = try ProcessStart.start(
      path, arguments.map([CChar].init(argument:)),
      environment: environment.map { $0.map { [CChar](argument: "\($0.key)=\($0.value)") } }
    ) { actions in
      if input == nil {
        actions.open(STDIN_FILENO, "/dev/null", O_RDONLY)
      } else {
        actions.pass(incoming.reading, as: STDIN_FILENO)
      }
      actions.pass(outgoing.writing, as: STDOUT_FILENO)
      actions.pass(complaints.writing, as: STDERR_FILENO)
    }
    outgoing.closeWriting()
    complaints.closeWriting()
    // While a reader exists, a program that exits without reading its input does not end this process with SIGPIPE.
    input?(incoming.writing)
    incoming.closeReading()
    incoming.closeWriting()
    read(outgoing.reading, complaints.reading)
    let ended = ProcessStart.wait(for: process)
    status = ended & 0x7F == 0 ? ended >> 8 & 0xFF : 128 + ended & 0x7F
  }

  /// Reads both descriptors to their ends, in the order in which data arrives.
  private mutating func read(_ first: Int32, _ second: Int32) {
    var waiting = [first, second].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while waiting.contains(where: { $0.fd >= 0 }) {
      guard poll(&waiting, nfds_t(waiting.count), -1) >= 0 else { continue }
      for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
        let count = Glibc.read(waiting[index].fd, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        if count <= 0 {
          // poll(2) ignores negative descriptors.
          waiting[index].fd = -1
        } else if index == 0 {
          output += buffer[..<count]
        } else {
          errors += buffer[..<count]
        }
      }
    }
  }
}

/// A pipe that is closed when the object is released, and that started programs do not inherit.
private final class Pipe {
  private(set) var reading: Int32 = -1
  private(set) var writing: Int32 = -1

  init() throws(ProcessStart.Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw ProcessStart.Failure(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    closeReading()
    closeWriting()
  }

  func closeReading() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  func closeWriting() {
    if writing >= 0 { close(writing) }
    writing = -1
  }
}
