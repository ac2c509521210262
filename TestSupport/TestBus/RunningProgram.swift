import Foundation
import Platform

/// A process, this process's ends of its pipes, and a thread that reads its output and then waits for its end.
final class RunningProgram: Sendable {
  /// A closure that is called at each change; it returns true when it needs no further calls.
  typealias Observer = @Sendable (ProgramReport) -> Bool

  private struct State {
    var bytes: [Int32: [UInt8]] = [:]
    var status: ProgramReport.Status?
    var hasDumped = false
    var observers: [Observer] = []
    /// The number of calls of ``lookAgain()``.
    var looks = 0
    var input: Int32?
  }

  let process: pid_t
  private let output: Int32
  private let errors: Int32
  private let state: Lock<State>

  private init(process: pid_t, input: Int32, output: Int32, errors: Int32) {
    self.process = process
    self.output = output
    self.errors = errors
    state = Lock(State(input: input))
  }

  static func start(_ arguments: [String], environment: [String]) throws -> RunningProgram {
    guard let child = Child(arguments, environment: environment, readingErrors: true), let errors = child.errors else {
      throw Program.StartFailed(arguments: arguments, reason: String(cString: strerror(errno)))
    }
    let program = RunningProgram(process: child.process, input: child.input, output: child.output, errors: errors)
    Thread.detachNewThread { program.follow() }
    return program
  }

  var report: ProgramReport { state.withLock { report(of: $0) } }

  func write(_ text: String) {
    guard let input = state.withLock({ $0.input }) else { return }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  func closeInput() {
    if let input = state.withLock({ $0.input.take() }) { close(input) }
  }

  /// Sends a signal. Holds the lock, so that the process cannot be reaped meanwhile and its id reused.
  func signal(_ number: Int32) {
    state.withLock { state in
      if state.status == nil { kill(process, number) }
    }
  }

  func observe(_ observer: @escaping Observer) {
    state.withLock { $0.observers.append(observer) }
    tellObservers()
  }

  /// Calls all observers again, because a condition outside of the program has changed.
  func lookAgain() {
    state.withLock { $0.looks += 1 }
    tellObservers()
  }

  private func tellObservers() {
    // The observers are removed from the state while they are called, so that each returns true at most once.
    let (observers, report, looks) = state.withLock { state in
      defer { state.observers = [] }
      return (state.observers, self.report(of: state), state.looks)
    }
    let waiting = observers.filter { !$0(report) }
    guard !waiting.isEmpty else { return }
    let hasChanged = state.withLock { state in
      state.observers += waiting
      return self.report(of: state) != report || state.looks != looks
    }
    if hasChanged { tellObservers() }
  }

  private func follow() {
    var open = [output, errors]
    while !open.isEmpty {
      var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, nfds_t(polled.count), -1) > 0 else { continue }
      for entry in polled where entry.revents != 0 && !readSome(entry.fd) {
        close(entry.fd)
        open.removeAll { $0 == entry.fd }
      }
      tellObservers()
    }
    awaitEnd()
    closeInput()
    tellObservers()
  }

  private func readSome(_ descriptor: Int32) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return false }
    state.withLock { $0.bytes[descriptor, default: []] += buffer[..<count] }
    return true
  }

  private func awaitEnd() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(process), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    state.withLock { state in
      var status: Int32 = 0
      waitpid(process, &status, 0)
      let signal = status & 0x7f
      state.hasDumped = signal != 0 && status & 0x80 != 0
      state.status = signal == 0 ? .exited((status >> 8) & 0xff) : .killed(signal)
    }
  }

  private func report(of state: State) -> ProgramReport {
    func text(_ descriptor: Int32) -> String { String(decoding: state.bytes[descriptor] ?? [], as: UTF8.self) }
    return ProgramReport(
      status: state.status, hasDumped: state.hasDumped, output: text(output), errors: text(errors))
  }
}
