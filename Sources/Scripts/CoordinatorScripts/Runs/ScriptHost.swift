import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The process of a script that has all runs of its flows. May be used from any thread.
final class ScriptHost: Sendable {
  /// The descriptor of the socket in the process.
  private static let descriptor: Int32 = 99

  private struct State: Sendable {
    var runs: [UInt64: HostedRun] = [:]
    var problem: String?
    var hasEnded = false
  }

  /// What the content of the script was when the process was started.
  let digest: String
  private let socket: LineSocket
  private let process: ScriptProcess
  private let number: UInt64
  private let state = Lock(State())

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - number: a number of its own, by which the process is found.
  ///   - script: the script.
  ///   - path: the path of the socket for operations, which the steps of a host may use.
  ///   - output: receives what the script writes, line by line.
  /// - Throws: ``ScriptCrash`` if the process cannot be started.
  init(
    _ number: UInt64, _ script: Script, socket path: String, output: @escaping @Sendable (String) -> Void
  ) throws(ScriptCrash) {
    (digest, self.number) = (script.digest, number)
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ScriptCrash("\(script.path) cannot be started: \(String(cString: strerror(errno)))")
    }
    socket = LineSocket(ends[0])
    defer { close(ends[1]) }
    var variables = RunOrder.inherited
    variables["COORDINATOR_FD"] = "\(Self.descriptor)"
    // The run and the socket mark the processes that belong to this one.
    variables["COORDINATOR_RUN"] = "\(number)"
    variables["COORDINATOR_HOST"] = path
    process = try ScriptProcess([script.path], environment: variables, passing: [Self.descriptor: ends[1]])
    process.watch(output) { [weak self] problem in self?.processHasEnded(problem) }
    let isReading = socket.read({ [weak self] in self?.take($0) }, then: { [weak self] in self?.socketHasEnded() })
    if !isReading { throw ScriptCrash("the system has no thread left") }
  }

  /// Whether the process can take another run.
  var isAlive: Bool { !state.withLock(\.hasEnded) }

  /// How many runs the process has.
  var count: Int { state.withLock(\.runs.count) }

  /// Starts a run.
  func start(_ number: UInt64, _ order: RunOrder) -> HostedRun {
    let run = HostedRun(number, in: self)
    let hasEnded = state.withLock { state in
      state.runs[number] = run
      return state.hasEnded
    }
    var message: [String: JSONValue] = [
      "run": .integer(Int64(number)), "flow": .string(order.instance.flow), "input": .object(order.log.input),
      "version": .integer(Int64(order.script.version)), "instance": .string(order.instance.name),
      "log": .array(order.log.entries[..<order.log.replayed].map(\.json)),
    ]
    message["language"] = order.language.map { .string($0) }
    if hasEnded || !socket.write(.object(message)) { run.inbox.add(.ended(problem: "the script's process has ended")) }
    return run
  }

  /// Sends a message to a run.
  func send(_ message: JSONValue, descriptors: [Int32] = []) { socket.write(message, descriptors: descriptors) }

  /// Forgets a run that is stopped.
  func forget(_ number: UInt64) { state.withLock { _ = $0.runs.removeValue(forKey: number) } }

  /// Ends the process.
  func end() {
    socket.end()
    process.end(run: number)
  }

  private func take(_ line: [UInt8]) {
    guard let message = try? JSONDecoder().decode(JSONValue.self, from: Data(line)),
      let number = message["run"]?.integer.flatMap({ UInt64(exactly: $0) }), let run = state.withLock({ $0.runs[number] })
    else { return }
    do throws(ScriptCrash) {
      run.inbox.add(.message(try ScriptMessage(json: message)))
    } catch {
      run.inbox.add(.message(.crash(error)))
    }
  }

  private func socketHasEnded() { finish(nil) }

  private func processHasEnded(_ problem: String?) { finish(problem ?? "the script's process has ended") }

  private func finish(_ problem: String?) {
    // The socket closes first, and the process says why.
    guard let problem else { return }
    let runs = state.withLock { state in
      defer { (state.runs, state.hasEnded) = ([:], true) }
      return state.runs.values.map(\.self)
    }
    for run in runs { run.inbox.add(.ended(problem: problem)) }
  }
}

/// A run in the process of a host. May be used from any thread.
final class HostedRun: ScriptRun {
  let number: UInt64
  let inbox = RunInbox()
  private let host: ScriptHost
  /// The steps that this run was told to do.
  private let performed = Lock<Set<Int>>([])

  init(_ number: UInt64, in host: ScriptHost) { (self.number, self.host) = (number, host) }

  func tell(_ reply: RunReply, entry: Int) {
    var message: [String: JSONValue] = ["run": .integer(Int64(number)), "entry": .integer(Int64(entry))]
    switch reply {
    case .recorded(let recorded):
      let isOwn = performed.withLock { $0.contains(entry) }
      message.merge(isOwn ? ["recorded": true] : recorded.reply) { $1 }
    case .patched(let isPatched): message["result"] = .boolean(isPatched)
    case .go(let key, let attempt, let secrets):
      performed.withLock { _ = $0.insert(entry) }
      return go(message, key, attempt, secrets)
    case .undo(let key):
      message["undo"] = true
      message["key"] = .string(key)
    }
    host.send(.object(message))
  }

  private func go(
    _ message: [String: JSONValue], _ key: String, _ attempt: UInt64, _ secrets: [(name: String, value: Secret)]
  ) {
    var message = message
    message["go"] = true
    message["key"] = .string(key)
    message["attempt"] = .integer(Int64(clamping: attempt))
    var descriptors: [Int32] = []
    defer { for descriptor in descriptors { close(descriptor) } }
    for secret in secrets {
      guard let pipe = SecretPipe(secret.value) else { return stop(.evicted) }
      descriptors.append(dup(pipe.reading))
    }
    if !secrets.isEmpty { message["secrets"] = .array(secrets.map { .string($0.name) }) }
    host.send(.object(message), descriptors: descriptors)
  }

  func stop(_ reason: StopReason) {
    host.forget(number)
    host.send(["run": .integer(Int64(number)), "stop": .string(reason.rawValue)])
    inbox.add(.ended(problem: nil))
  }
}
