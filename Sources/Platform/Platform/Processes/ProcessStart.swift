import Glibc

/// Starting programs, with what each of them has a right to find: no signal is blocked or ignored.
package enum ProcessStart {
  /// Why a program cannot be started.
  package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The code of errno(3).
    package let code: Int32

    /// Creates a failure with the code of errno(3).
    package init(code: Int32) { self.code = code }

    package var description: String { String(cString: strerror(code)) }
  }

  /// How often a program that is being written is tried, and how long to wait in between, in microseconds.
  private static let (tries, pause) = (50, UInt32(20_000))
  /// POSIX_SPAWN_SETSID, which the Glibc module lacks.
  private static let newSession: Int16 = 0x80

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: path of the program.
  ///   - arguments: its arguments, its name first, each with a zero at the end.
  ///   - environment: all its variables, such as `HOME=/root`, each with a zero at the end; nil for those of this process.
  ///   - isInNewSession: whether it begins a session of its own, without a terminal.
  ///   - prepare: closure that says what its descriptors and its directory are; by default those of this process.
  /// - Returns: the number of the process, which has to be waited for.
  /// - Throws: ``Failure``.
  package static func start(
    _ path: String, _ arguments: [[CChar]], environment: [[CChar]]? = nil, inNewSession isInNewSession: Bool = false,
    _ prepare: (inout posix_spawn_file_actions_t) -> Void
  ) throws(Failure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    prepare(&actions)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads of Swift's tasks block signals, and this process handles or ignores some.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, isInNewSession ? flags | newSession : flags)
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = (environment ?? []).map { strdup($0) } + [nil]
    defer { for text in argv + variables { free(text) } }
    var process = pid_t()
    func spawn() -> Int32 {
      guard environment != nil else { return posix_spawn(&process, path, &actions, &attributes, &argv, environ) }
      return posix_spawn(&process, path, &actions, &attributes, &argv, &variables)
    }
    var status = spawn()
    // An editor that is saving the file has it open for a moment.
    for _ in 0..<tries where status == ETXTBSY {
      usleep(pause)
      status = spawn()
    }
    guard status == 0 else { throw Failure(code: status) }
    return process
  }
}

extension [CChar] {
  /// Creates the bytes of a text, with a zero at the end.
  package init(argument: String) { self = Array(argument.utf8CString) }
}
