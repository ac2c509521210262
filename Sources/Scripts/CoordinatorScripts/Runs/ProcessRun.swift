import CPlatform
import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

/// A run with a dedicated process, in which each operation is a child process. May be used from any thread.
final class ProcessRun: ScriptRun {
  private struct State: Sendable {
    var waiting: [Int: AskConnection] = [:]
    var terminations = StepTerminations()
    var isStopped = false
  }

  /// The maximum number of bytes of the input: the system limits a variable with its name to 128 KiB.
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
  ///   - order: the script to start, and its log.
  ///   - socket: the path of the socket of operations.
  ///   - runs: where operations find the run.
  ///   - output: receives the lines that the script writes.
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
    // The script may send operations before this returns.
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
      // Processes that it has left behind may still perform a step.
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
      if let entry = message.endedStep { state.withLock { $0.terminations.stepHasEnded(entry) } }
      inbox.add(.message(message))
    } catch {
      connection.refuse("\(error)")
      inbox.add(.message(.crash(error)))
    }
  }

  /// Stops the run if the process of an operation ends before its answer: the script would continue without one.
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
      if let complaint = recorded.complaint {
        connection.complain(complaint)
      } else {
        connection.finish(recorded.output ?? ProcessOutput())
      }
    case .patched(let isPatched):
      state.withLock { $0.waiting[entry] = nil }
      connection.finish(ProcessOutput(status: isPatched ? 0 : 1))
    case .go(let key, let attempt, _, let secrets):
      guard go(connection, key, attempt, secrets) else { return false }
      if state.withLock({ $0.terminations.stepHasBegun(entry) }) { connection.terminate() }
    // A shell script undoes with a command.
    case .undo: return false
    case .terminate: if state.withLock({ $0.terminations.order(entry) }) { connection.terminate() }
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

/// Finds the runs of processes by their numbers. May be used from any thread.
final class RunNumbers: Sendable {
  /// Receives the messages of an operation, and nil when its process has ended.
  typealias Receiver = @Sendable (JSONValue?) -> Void

  private struct State: Sendable {
    var last: UInt64 = 0
    var runs: [UInt64: @Sendable (AskConnection) -> Receiver] = [:]
  }

  private let state = Lock(State())

  /// Returns an unused number.
  func next() -> UInt64 {
    state.withLock { state in
      state.last += 1
      return state.last
    }
  }

  /// Registers the receiver of a run's operations.
  func add(_ number: UInt64, _ connected: @escaping @Sendable (AskConnection) -> Receiver) {
    state.withLock { $0.runs[number] = connected }
  }

  /// Refuses operations of a run from now on.
  func remove(_ number: UInt64) { state.withLock { _ = $0.runs.removeValue(forKey: number) } }

  /// Returns the receiver of an operation's messages; nil if there is no such run.
  func receiver(of number: UInt64, _ connection: AskConnection) -> Receiver? {
    state.withLock { $0.runs[number] }?(connection)
  }
}

/// The file in memory from which the processes of a run read the recorded operations.
final class ReplayFile: Sendable {
  /// The descriptor, which is closed on exec unless it is passed explicitly.
  let descriptor: Int32

  /// Creates a file with the first entries of a log; nil if the system has no descriptor left.
  init?(_ entries: some Collection<LogEntry>) {
    descriptor = coordinatord_memory_file("coordinator-log")
    let bytes = Self.bytes(entries)
    let isWritten =
      descriptor >= 0 && bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count
    if !isWritten { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// How many operations the run has executed so far, including replayed ones; nil if that cannot be read.
  var operations: Int? {
    var count: UInt32 = 0
    return pread(descriptor, &count, 4, 16) == 4 ? Int(UInt32(littleEndian: count)) : nil
  }

  /// The content of the file: see the script protocol.
  static func bytes(_ entries: some Collection<LogEntry>) -> [UInt8] {
    let header = 32
    var bytes = Array("ask-log1".utf8)
    bytes += withUnsafeBytes(of: UInt64(header).littleEndian) { Array($0) }
    bytes += [UInt8](repeating: 0, count: header - bytes.count)
    for entry in entries {
      guard let output = entry.output else { break }
      let digest = entry.ask.map { $0.digest.isEmpty ? "-" : $0.digest } ?? "-"
      bytes += Array(
        "\(entry.body.word) \(entry.name) \(digest) \(output.status) \(output.text.utf8.count)\n\(output.text)\n".utf8)
    }
    return bytes
  }
}

/// The pending events of a run. May be used from any thread.
///
/// Events of steps that are being performed reach the work that performs them; all others wait for the next decision.
final class RunInbox: Sendable {
  /// The maximum number of pending events. A script awaits the answer to each operation, so there are few.
  private static let limit = 1_000

  private struct State: Sendable {
    var events: [RunEvent] = []
    var waiters: [UInt64: CheckedContinuation<Bool, Never>] = [:]
    var works: [Int: AsyncStream<RunEvent>.Continuation] = [:]
    var waits: UInt64 = 0
    var end: RunEvent?
  }

  private let state = Lock(State())

  /// Adds an event of the run.
  func add(_ event: RunEvent) {
    let (waiters, works) = state.withLock { state in
      if case .ended = event {
        guard state.end == nil else { return ([], []) as (Waiters, [AsyncStream<RunEvent>.Continuation]) }
        state.end = event
      }
      let works = Self.works(event, &state)
      // No work awaits events of a step that is not being performed.
      guard !event.isAboutStep else { return ([], works) }
      state.events.append(
        state.events.count < Self.limit ? event : .message(.crash(ScriptCrash("it does not wait for its answers"))))
      if state.events.count > Self.limit + 1 { state.events.removeLast() }
      defer { state.waiters = [:] }
      return (Array(state.waiters.values), works)
    }
    for work in works { work.yield(event) }
    for waiter in waiters { waiter.resume(returning: true) }
  }

  private typealias Waiters = [CheckedContinuation<Bool, Never>]

  private static func works(_ event: RunEvent, _ state: inout State) -> [AsyncStream<RunEvent>.Continuation] {
    switch event {
    case .ended, .message(.crash): return Array(state.works.values)
    case .message(.done(_, let entry)), .message(.failed(_, let entry)), .message(.progress(_, _, let entry)):
      return state.works[entry].map { [$0] } ?? []
    default: return []
    }
  }

  /// Whether the process has failed by itself, because of this run.
  var hasDied: Bool {
    state.withLock { state in
      if case .ended(.some, _, isOwn: true)? = state.end { true } else { false }
    }
  }

  /// Returns the events about a step from now on, until ``endWork(on:)``.
  func beginWork(on entry: Int) -> AsyncStream<RunEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: RunEvent.self)
    let end = state.withLock { state in
      state.works[entry] = continuation
      return state.end
    }
    if let end { continuation.yield(end) }
    return stream
  }

  /// Ends the stream of ``beginWork(on:)``.
  func endWork(on entry: Int) { state.withLock { $0.works.removeValue(forKey: entry) }?.finish() }

  /// Whether a step is being performed.
  var isWorking: Bool { state.withLock { !$0.works.isEmpty } }

  /// Returns the next event; waits for it until a deadline.
  ///
  /// - Parameter deadline: the deadline.
  /// - Returns: the event; nil if the deadline has passed, or the task was cancelled.
  func next(until deadline: ContinuousClock.Instant) async -> RunEvent? {
    // Another waiting task may have taken it.
    while await isReady(until: deadline) {
      if let event = state.withLock({ $0.events.isEmpty ? nil : $0.events.removeFirst() }) { return event }
    }
    return nil
  }

  /// Waits until an event is pending, and returns whether one is.
  func isReady(until deadline: ContinuousClock.Instant) async -> Bool {
    if !state.withLock(\.events.isEmpty) { return true }
    let id = state.withLock { state in
      state.waits += 1
      return state.waits
    }
    let timer = Task {
      try? await Task.sleep(until: deadline)
      self.giveUp(id)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if !state.events.isEmpty { return true }
          if Task.isCancelled || deadline <= .now { return false }
          state.waiters[id] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      giveUp(id)
    }
  }

  private func giveUp(_ id: UInt64) {
    state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: false)
  }
}
