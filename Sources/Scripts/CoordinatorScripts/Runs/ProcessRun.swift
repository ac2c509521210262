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

  let number: UInt64
  let inbox = RunInbox()
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
    started.watch(output) { [runs] problem in
      runs.remove(number)
      inbox.add(.ended(problem: problem))
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

  /// The process of an operation has ended before its answer: the step that it did was cut short.
  private func forget(_ connection: AskConnection) {
    let entry = state.withLock { state in
      let entry = state.waiting.first { $0.value === connection }?.key
      if let entry { state.waiting[entry] = nil }
      return entry
    }
    guard let entry, inbox.isWorking else { return }
    inbox.add(
      .message(
        .failed(StepError(type: "exit", message: "the process of this step was ended", rest: ["status": 137]), entry: entry)))
  }

  func tell(_ reply: RunReply, entry: Int) {
    guard let connection = state.withLock({ $0.waiting[entry] }) else { return }
    switch reply {
    case .recorded(let recorded):
      state.withLock { $0.waiting[entry] = nil }
      connection.finish(recorded.output ?? ProcessOutput())
    case .patched(let isPatched):
      state.withLock { $0.waiting[entry] = nil }
      connection.finish(ProcessOutput(status: isPatched ? 0 : 1))
    case .go(let key, let attempt, let secrets): go(connection, key, attempt, secrets)
    case .undo: break
    }
  }

  private func go(_ connection: AskConnection, _ key: String, _ attempt: UInt64, _ secrets: [(name: String, value: Secret)]) {
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for secret in secrets {
      guard let pipe = SecretPipe(secret.value) else { return connection.stop() }
      descriptors.append(dup(pipe.reading))
    }
    connection.go(key: key, attempt: attempt, secrets: descriptors)
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
