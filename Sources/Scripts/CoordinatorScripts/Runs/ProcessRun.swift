import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

/// A run that has a process of its own, in which each operation is a process. May be used from any thread.
final class ProcessRun: ScriptRun {
  private struct State: Sendable {
    var waiting: [Int: AskConnection] = [:]
    var isStopped = false
  }

  /// The most bytes of the input: the system takes 128 KiB for a variable with its name.
  private static let maxInput = 127 * 1024

  let number: UInt64
  let inbox = RunInbox()
  let departure = Departure()
  private let process = Lock<ScriptProcess?>(nil)
  private let runs: RunNumbers
  private let state = Lock(State())

  /// Starts the process of a script.
  ///
  /// - Parameters:
  ///   - number: the number of the run.
  ///   - order: what to start, with which log.
  ///   - socket: the path at which operations are taken.
  ///   - runs: where operations find the run.
  ///   - output: receives what the script writes, line by line.
  /// - Throws: ``ScriptCrash`` if the script cannot be started.
  init(
    _ number: UInt64, _ order: RunOrder, socket: String, runs: RunNumbers, output: @escaping @Sendable (String) -> Void
  ) throws(ScriptCrash) {
    (self.number, self.runs) = (number, runs)
    guard order.inputText.utf8.count < Self.maxInput else {
      throw ScriptCrash("the input has more than \(Self.maxInput / 1024) KiB, which no variable can hold")
    }
    guard let replay = ReplayFile(order.log.entries[..<order.log.replayed]) else {
      throw ScriptCrash("the system has no file descriptor left for \(order.script.path)")
    }
    // The script may ask before this returns.
    runs.add(number) { [weak self] connection in
      { [weak self] message in self?.receive(message, from: connection) }
    }
    let started: ScriptProcess
    do throws(ScriptCrash) {
      started = try ScriptProcess(
        [order.script.path], environment: order.environment(run: number, socket: socket),
        passing: [ScriptProcess.replayDescriptor: replay.descriptor])
    } catch {
      runs.remove(number)
      throw error
    }
    process.withLock { $0 = started }
    let inbox = inbox
    started.watch(output) { [runs, departure] end in
      runs.remove(number)
      inbox.add(.ended(problem: end.problem, operations: end.problem == nil ? replay.operations : nil))
      // What it has left behind may still do a step.
      started.end(run: number) { departure.come() }
    }
  }

  private func receive(_ message: JSONValue?, from connection: AskConnection) {
    guard let message else { return forget(connection) }
    do throws(ScriptCrash) {
      let message = try ScriptMessage(json: message)
      if case .operation(_, let entry) = message {
        let isStopped = state.withLock { state in
          state.waiting[entry] = connection
          return state.isStopped
        }
        if isStopped { return connection.stop() }
      }
      inbox.add(.message(message))
    } catch {
      connection.refuse("\(error)")
      inbox.add(.message(.crash(error)))
    }
  }

  /// The process of an operation has ended before its answer: the script would go on without one.
  private func forget(_ connection: AskConnection) {
    let isWaiting = state.withLock { state in
      guard !state.isStopped, let entry = state.waiting.first(where: { $0.value === connection })?.key else { return false }
      state.waiting[entry] = nil
      return true
    }
    guard isWaiting else { return }
    inbox.add(.ended(problem: "the process of an operation was ended"))
    stop(.evicted)
  }

  func tell(_ reply: RunReply, entry: Int) -> Bool {
    guard let connection = state.withLock({ $0.waiting[entry] }) else { return false }
    switch reply {
    case .recorded(let recorded):
      state.withLock { $0.waiting[entry] = nil }
      connection.finish(recorded.output ?? ProcessOutput())
    case .patched(let isPatched):
      state.withLock { $0.waiting[entry] = nil }
      connection.finish(ProcessOutput(status: isPatched ? 0 : 1))
    case .go(let key, let attempt, _, let secrets): return go(connection, key, attempt, secrets)
    // A shell script undoes by a command.
    case .undo: return false
    }
    return true
  }

  private func go(
    _ connection: AskConnection, _ key: String, _ attempt: UInt64, _ secrets: [(name: String, value: Secret)]
  ) -> Bool {
    let pipes = secrets.compactMap { SecretPipe($0.value) }
    guard pipes.count == secrets.count else { return false }
    withExtendedLifetime(pipes) { connection.go(key: key, attempt: attempt, secrets: pipes.map(\.reading)) }
    return true
  }

  func stop(_ reason: StopReason) {
    let waiting = state.withLock { state in
      defer { (state.waiting, state.isStopped) = ([:], true) }
      return state.waiting
    }
    runs.remove(number)
    for connection in waiting.values { connection.stop() }
    process.withLock(\.self)?.end(run: number)
  }
}
