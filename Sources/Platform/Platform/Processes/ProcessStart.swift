import CPlatform
import Glibc

/// Starting programs, with what each of them has a right to find: no signal is blocked or ignored, and the nice value is
/// that of this process, whatever that of the calling thread is. A nice value that is lower than the thread's is for those
/// only whom the system lets lower one, such as root; else it is the thread's.
///
/// Source: CAP_SYS_NICE in capabilities(7), RLIMIT_NICE in getrlimit(2).
package enum ProcessStart {
  /// Why a program cannot be started.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of errno(3).
    package let code: Int32

    /// Creates a failure with the code of errno(3).
    package init(code: Int32) { self.code = code }

    package var description: String { String(cString: strerror(code)) }
  }

  /// What else a program has.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// It begins a session of its own, without a terminal.
    package static let ownSession = Traits(rawValue: 1)
    /// It begins a process group of its own.
    package static let ownGroup = Traits(rawValue: 2)
    /// It is looked for in the `PATH` of this process if its name has no slash.
    package static let searched = Traits(rawValue: 4)
    /// All that it starts stays below it, also what leaves its session and hides its environment.
    ///
    /// Source: PR_SET_CHILD_SUBREAPER in prctl(2).
    package static let reaper = Traits(rawValue: 8)
    /// It is killed when the thread ends that has started it, and with this process at the latest.
    ///
    /// Source: PR_SET_PDEATHSIG in prctl(2).
    package static let endsWithThread = Traits(rawValue: 16)
  }

  /// How often a program that is being written is tried, and how long to wait in between, in microseconds.
  private static let (tries, pause) = (50, UInt32(20_000))
  /// The processes that were started and not waited for.
  private static let children = Lock<Set<pid_t>>([])

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: path of the program.
  ///   - arguments: its arguments, its name first, each with a zero at the end.
  ///   - environment: all its variables, such as `HOME=/root`, each with a zero at the end; nil for those of this process.
  ///   - traits: what else it has.
  ///   - prepare: closure that says what its descriptors and its directory are; by default those of this process.
  /// - Returns: the number of the process, which has to be waited for.
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
              // Whoever looks for children that nobody has started must not find one in between.
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
    // An editor that is saving the file has it open for a moment.
    for _ in 0..<tries where status == ETXTBSY {
      usleep(pause)
      status = start()
    }
    guard status == 0 else { throw Failure(code: status) }
    return process
  }

  /// Waits for the end of a process that ``start(_:_:environment:_:_:)`` has started. Blocks the thread.
  ///
  /// - Parameter process: the number of the process.
  /// - Returns: what it has come to, as waitpid(2) says it; 0 if somebody else has waited for it.
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

  /// Returns which of some processes were started here, and were not waited for.
  ///
  /// - Parameter processes: the numbers of the processes.
  /// - Returns: those of them.
  package static func own(of processes: Set<pid_t>) -> Set<pid_t> { children.withLock { $0.intersection(processes) } }

  /// Has processes whose parents have ended become children of this process. Whoever calls this has to wait for them.
  package static func adoptOrphans() { process_adopt() }
}

/// What is done in a new process before its program begins, in order.
package struct ProcessPreparation: Sendable {
  struct Action: Sendable {
    let kind: process_action_kind
    let number: Int32
    let value: Int32
    let path: String?
  }

  private(set) var actions: [Action] = []

  init() {}

  /// The program has an open file as a descriptor.
  ///
  /// - Parameters:
  ///   - number: the descriptor in the program.
  ///   - path: the path of the file.
  ///   - flags: the flags of open(2).
  package mutating func open(_ number: Int32, _ path: String, _ flags: Int32) {
    actions.append(Action(kind: process_open, number: number, value: flags, path: path))
  }

  /// The program has a descriptor of this process.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor in this process, or one that was prepared before.
  ///   - number: the descriptor in the program.
  package mutating func pass(_ descriptor: Int32, as number: Int32) {
    actions.append(Action(kind: process_duplicate, number: number, value: descriptor, path: nil))
  }

  /// The program begins in a directory.
  ///
  /// - Parameter directory: the path of the directory.
  package mutating func enter(_ directory: String) {
    actions.append(Action(kind: process_directory, number: 0, value: 0, path: directory))
  }
}

extension [CChar] {
  /// Creates the bytes of a text, with a zero at the end.
  package init(argument: String) { self = Array(argument.utf8CString) }
}
