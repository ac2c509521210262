import Glibc
import Platform

/// A process that this one has started.
struct StartedProcess: Sendable {
  /// The reason why a process was not started.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let id: pid_t
  /// The wait status in the format of waitpid(2).
  private let end: Task<Int32, Never>
  private let over = EndStatus()

  /// Starts a program with the standard streams of this process.
  ///
  /// - Parameters:
  ///   - path: path of the program.
  ///   - arguments: its arguments as bytes, without its name.
  ///   - input: descriptor of its standard input; nil for that of this process.
  ///   - output: descriptor of its standard output; nil for that of this process.
  /// - Throws: ``Failure``.
  init(_ path: String, _ arguments: [[CChar]], input: Int32? = nil, output: Int32? = nil) throws(Failure) {
    let id: pid_t
    do throws(ProcessStart.Failure) {
      id = try ProcessStart.start(path, [[CChar](argument: path)] + arguments) { actions in
        if let input { actions.pass(input, as: STDIN_FILENO) }
        if let output { actions.pass(output, as: STDOUT_FILENO) }
      }
    } catch {
      throw Failure(description: "\(path) could not be started: \(error)")
    }
    self.id = id
    end = Task { [over] in
      await withCheckedContinuation { continuation in
        let isWaiting = Thread.start(name: "child") {
          let status = ProcessStart.wait(for: id)
          let waiting = over.set(status)
          continuation.resume(returning: status)
          for body in waiting { body(status) }
        }
        if !isWaiting { continuation.resume(returning: 0) }
      }
    }
  }

  /// The exit status in the format of a shell, available when the process has ended.
  var status: Int32 {
    get async {
      Self.shellStatus(await end.value)
    }
  }

  /// Waits until the process has ended.
  ///
  /// - Returns: whether it has ended; false if the task was cancelled before.
  func isOverUnlessCancelled() async -> Bool {
    let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
    whenOver { continuation.yield($0) }
    return await ends.first { _ in true } != nil
  }

  /// The exit status in the format of a shell; nil while the process runs.
  var endStatus: Int32? { over.status.map(Self.shellStatus) }

  /// Whether the process has ended.
  var isOver: Bool { over.status != nil }

  /// Calls a closure when the process has ended, with the exit status in the format of a shell: on a separate thread, or at
  /// once if the process has already ended.
  func whenOver(_ body: @escaping @Sendable (Int32) -> Void) { over.whenSet { body(Self.shellStatus($0)) } }

  /// Asks the process to end, even if it is stopped.
  func terminate() { send(SIGTERM, SIGCONT) }

  /// Kills the process.
  func kill() { send(SIGKILL) }

  private func send(_ numbers: Int32...) {
    // The id of a process that has been waited for may belong to another process.
    if !isOver { for number in numbers { Glibc.kill(id, number) } }
  }

  private static func shellStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}

/// The wait status of a process in the format of waitpid(2). May be used from any thread.
private final class EndStatus: Sendable {
  private struct State: Sendable {
    var status: Int32?
    var waiting: [@Sendable (Int32) -> Void] = []
  }

  private let state = Lock(State())

  var status: Int32? { state.withLock(\.status) }

  /// Stores the status, and returns the closures that wait for it.
  func set(_ status: Int32) -> [@Sendable (Int32) -> Void] {
    state.withLock { state in
      defer { state.waiting = [] }
      state.status = status
      return state.waiting
    }
  }

  func whenSet(_ body: @escaping @Sendable (Int32) -> Void) {
    let status = state.withLock { state in
      if state.status == nil { state.waiting.append(body) }
      return state.status
    }
    if let status { body(status) }
  }
}
