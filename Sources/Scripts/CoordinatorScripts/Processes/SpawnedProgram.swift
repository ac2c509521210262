import CScripts
import Glibc

/// A program that was started in a session of its own. Its input is empty.
struct SpawnedProgram {
  /// Why a program cannot be started.
  struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ code: Int32) { description = String(cString: strerror(code)) }
  }

  let process: pid_t
  /// Where its output can be read. To be closed by whoever has started it.
  let output: Int32

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: the program and its arguments.
  ///   - environment: all variables.
  ///   - passing: descriptors of this process by the number that they have in the program.
  ///   - hasErrors: whether what it writes to stderr is part of its output, and not discarded.
  /// - Throws: ``Failure``.
  init(
    _ arguments: [String], environment: [String: String], passing: [Int32: Int32] = [:], hasErrors: Bool = true
  ) throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard coordinatord_pipe(&ends) == 0 else { throw Failure(errno) }
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    if hasErrors {
      posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    } else {
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    for (number, descriptor) in passing { posix_spawn_file_actions_adddup2(&actions, descriptor, number) }
    if let home = environment["HOME"], access(home, X_OK) == 0 { coordinatord_add_directory(&actions, home) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Threads have signals blocked and ignored that a shell expects.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF) | Self.newSession)
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in argv + variables { free(text) } }
    var process = pid_t()
    var status = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, &variables)
    // An editor that is saving the file has it open for a moment.
    for _ in 0..<50 where status == ETXTBSY {
      usleep(20_000)
      status = posix_spawn(&process, arguments[0], &actions, &attributes, &argv, &variables)
    }
    guard status == 0 else {
      close(ends[0])
      throw Failure(status)
    }
    (self.process, output) = (process, ends[0])
  }

  /// POSIX_SPAWN_SETSID, which the Glibc module lacks.
  private static let newSession: Int16 = 0x80
}
