import CScripts
import Glibc
import Platform

/// A process that this one has started.
struct StartedProcess: Sendable {
  /// Why a process was not started.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let id: pid_t
  /// What it has come to, as waitpid(2) says it.
  private let end: Task<Int32, Never>
  private let over = ProcessFlag()

  /// Starts a program with the standard streams of this process.
  ///
  /// - Parameters:
  ///   - path: the path of the program.
  ///   - arguments: its arguments, byte by byte, without its name.
  ///   - input: what is its standard input, if that is not this process's.
  ///   - output: what is its standard output, if that is not this process's.
  /// - Throws: ``Failure``.
  init(_ path: String, _ arguments: [[CChar]], input: Int32? = nil, output: Int32? = nil) throws(Failure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The threads of Swift's tasks block signals, and this process handles some.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var argv: [UnsafeMutablePointer<CChar>?] = [strdup(path)] + arguments.map { strdup($0) } + [nil]
    defer { for text in argv { free(text) } }
    var process = pid_t()
    let status = posix_spawn(&process, path, &actions, &attributes, &argv, environ)
    guard status == 0 else {
      throw Failure(description: "\(path) could not be started: \(String(cString: strerror(status)))")
    }
    let id = process
    self.id = id
    end = Task { [over] in
      await withCheckedContinuation { continuation in
        let isWaiting = Thread.start(name: "child") {
          var status: Int32 = 0
          while waitpid(id, &status, 0) < 0, errno == EINTR {}
          over.set()
          continuation.resume(returning: status)
        }
        if !isWaiting { continuation.resume(returning: 0) }
      }
    }
  }

  /// The exit status as a shell has it, as soon as the process has ended.
  var status: Int32 {
    get async {
      let status = await end.value
      let signal = status & 0x7F
      return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
  }

  /// Whether the process has ended.
  var isOver: Bool { over.isSet }

  /// Asks the process to end.
  func terminate() { kill(id, SIGTERM) }
}

/// Whether a process has ended. May be used from any thread.
private final class ProcessFlag: Sendable {
  private let value = Lock(false)

  var isSet: Bool { value.withLock(\.self) }

  func set() { value.withLock { $0 = true } }
}

extension [CChar] {
  /// Creates the bytes of a text, with a zero at the end.
  init(argument: String) { self = Array(argument.utf8CString) }
}
