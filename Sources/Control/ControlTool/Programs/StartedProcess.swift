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
    let id: pid_t
    do throws(ProcessStart.Failure) {
      id = try ProcessStart.start(path, [[CChar](argument: path)] + arguments) { actions in
        if let input { posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO) }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
      }
    } catch {
      throw Failure(description: "\(path) could not be started: \(error)")
    }
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
