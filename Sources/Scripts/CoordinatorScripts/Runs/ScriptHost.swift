import CoordinatorKit
import Forms
import Glibc
import LineSockets
import Platform
import ScriptEngine

/// The process of a script that executes all runs of its flows. May be used from any thread.
final class ScriptHost: Sendable {
  /// The descriptor of the socket in the process.
  private static let descriptor: Int32 = 99
  /// How long a step of a stopped run may continue.
  private static let patience = Duration.seconds(5)

  private struct State: Sendable {
    var runs: [UInt64: HostedRun] = [:]
    /// The runs that were stopped during a step.
    var leaving: [UInt64: HostedRun] = [:]
    var hasEnded = false
    /// Whether this program ends it, so that no run is to blame.
    var isEnding = false
    /// The number of runs that were started.
    var started = 0
    /// Whether a newer process executes new runs.
    var isReplaced = false
  }

  /// The digest of the script when the process was started.
  let digest: String
  private let socket: LineSocket
  private let process: ScriptProcess
  private let number: UInt64
  private let suspects: RunSuspects
  /// Called when the process has ended, and no run can be blamed.
  private let mishap: @Sendable () -> Void
  private let state = Lock(State())

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - number: a unique number, by which the process is found.
  ///   - script: the script.
  ///   - surroundings: where it takes place.
  ///   - path: the path of the socket of operations, which the steps of a host may use.
  ///   - suspects: receives the instances whose runs may have ended the process.
  ///   - mishap: called when the process has ended, and no run can be blamed.
  ///   - output: receives the lines that the script writes.
  /// - Throws: ``ScriptCrash`` if the process cannot be started.
  init(
    _ number: UInt64, _ script: Script, in surroundings: Surroundings, socket path: String, suspects: RunSuspects,
    mishap: @escaping @Sendable () -> Void, output: @escaping @Sendable (String) -> Void
  ) throws(ScriptCrash) {
    (digest, self.number, self.suspects, self.mishap) = (script.digest, number, suspects, mishap)
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw ScriptCrash("\(script.path) cannot be started: \(String(cString: strerror(errno)))")
    }
    socket = LineSocket(ends[0])
    defer { close(ends[1]) }
    var variables = surroundings.variables(of: .host)
    variables["COORDINATOR_FD"] = "\(Self.descriptor)"
    // The run and the socket mark the processes that belong to this one.
    variables["COORDINATOR_RUN"] = "\(number)"
    variables["COORDINATOR_HOST"] = path
    process = try ScriptProcess([script.path], environment: variables, passing: [Self.descriptor: ends[1]])
    process.watch(output) { [weak self] end in self?.processHasEnded(end) }
    let isReading = socket.read({ [weak self] in self?.take($0) }, then: { [weak self] in self?.socketHasEnded() })
    if !isReading { throw ScriptCrash("the system has no thread left") }
  }

  /// Whether the process accepts another run.
  var isAlive: Bool { !state.withLock(\.hasEnded) }

  /// Whether a stopped run still performs a step. If it continues too long, the process is ended with all its runs.
  var isLettingGo: Bool { state.withLock { !$0.leaving.isEmpty } }

  /// Ends the process as soon as it has no runs.
  func endWhenIdle() {
    let isIdle = state.withLock { state in
      state.isReplaced = true
      return state.runs.isEmpty && state.leaving.isEmpty
    }
    if isIdle { end() }
  }

  /// Starts a run.
  func start(_ number: UInt64, _ order: RunOrder) -> HostedRun {
    let run = HostedRun(number, of: order.instance.name, in: self)
    let hasEnded = state.withLock { state in
      state.runs[number] = run
      state.started += 1
      return state.hasEnded
    }
    var message: [String: JSONValue] = [
      "run": .integer(Int64(number)), "flow": .string(order.instance.flow), "input": .object(order.log.input),
      "version": .integer(Int64(order.script.version)), "instance": .string(order.instance.name),
      "log": .array(order.log.entries[..<order.log.replayed].map(\.json)),
    ]
    message["language"] = order.language.map { .string($0) }
    if hasEnded || !socket.write(.object(message)) {
      run.inbox.add(.ended(problem: "the script's process has ended", isOwn: false))
    }
    return run
  }

  /// Sends a message to a run; returns whether it was sent.
  @discardableResult
  func send(_ message: JSONValue, descriptors: [Int32] = []) -> Bool { socket.write(message, descriptors: descriptors) }

  /// Removes a run that is being stopped.
  func forget(_ run: HostedRun) {
    let isDone = state.withLock { state in
      let isKnown = state.runs.removeValue(forKey: run.number) != nil
      if isKnown, !run.departure.hasCome { state.leaving[run.number] = run }
      return state.isReplaced && state.runs.isEmpty && state.leaving.isEmpty
    }
    if isDone { return end() }
    if !run.departure.hasCome { Task { await wait(for: run) } }
  }

  /// Ends the process if a stopped run does not end its step in time, unless another run is active as well.
  private func wait(for run: HostedRun) async {
    while !run.departure.hasCome {
      try? await Task.sleep(for: Self.patience)
      let isNeeded = state.withLock { $0.runs.values.contains(where: \.isDoingStep) }
      if !run.departure.hasCome, !isNeeded { return end() }
    }
  }

  private func hasStopped(_ number: UInt64) {
    let (run, isDone) = state.withLock { state in
      (state.leaving.removeValue(forKey: number), state.isReplaced && state.runs.isEmpty && state.leaving.isEmpty)
    }
    run?.departure.come()
    if isDone { end() }
  }

  /// Ends the process.
  func end() {
    state.withLock { $0.isEnding = true }
    socket.end()
    process.end(run: number)
  }

  private func take(_ line: [UInt8]) {
    let message: JSONValue
    do {
      message = try JSONValue(parsing: line)
    } catch {
      // Without an answer, its run would wait forever.
      let unreadable = UnreadableMessage(line, error)
      let run = unreadable.run.flatMap { number in state.withLock { $0.runs[number] } }
      run?.inbox.add(.message(.crash(unreadable.crash)))
      return
    }
    guard let number = message["run"]?.integer.flatMap({ UInt64(exactly: $0) }) else { return }
    if message["stopped"]?.boolean == true { return hasStopped(number) }
    guard let run = state.withLock({ $0.runs[number] }) else { return }
    do throws(ScriptCrash) {
      run.take(try ScriptMessage(json: message))
      // If it ends this process later, that is certainly its own fault.
      if state.withLock({ $0.started == 1 }) { suspects.remove(run.instance) }
    } catch {
      run.inbox.add(.message(.crash(error)))
    }
  }

  /// Ends the process, which is useless without its socket; its exit status then tells why.
  private func socketHasEnded() {
    state.withLock { $0.hasEnded = true }
    process.end(run: number)
  }

  private func processHasEnded(_ end: ProcessEnd) {
    let problem = end.problem ?? "the script's process has ended"
    let (runs, leaving, hadOthers, isEnding) = state.withLock { state in
      defer { (state.runs, state.leaving, state.hasEnded) = ([:], [:], true) }
      return (Array(state.runs.values), Array(state.leaving.values), state.started > 1, state.isEnding)
    }
    let executing = isEnding ? [] : runs.filter(\.isExecuting) + leaving
    let blame = HostBlame(executing: Set(executing.map(\.number)), isKilled: end.isKilled, hadOthers: hadOthers)
    for run in executing where blame.suspects.contains(run.number) { suspects.add(run.instance) }
    if blame.charged == nil, !isEnding { mishap() }
    for run in runs { run.inbox.add(.ended(problem: problem, isOwn: run.number == blame.charged)) }
    // Processes that it has left behind may still perform a step.
    process.end(run: number) { for run in runs + leaving { run.departure.come() } }
  }
}

/// Which run has ended a process that several runs shared, as far as that can be known. A value.
struct HostBlame: Sendable, Hashable {
  /// The run that has certainly caused the end; nil if that is not certain.
  let charged: UInt64?
  /// The runs that may have caused the end: each gets a dedicated process at its next attempt, which tells for certain.
  let suspects: Set<UInt64>

  /// Determines the blame.
  ///
  /// - Parameters:
  ///   - executing: the runs that executed code at that moment; others awaited an answer.
  ///   - isKilled: whether the process was killed: any run may have used up the memory.
  ///   - hadOthers: whether the process has ever executed more than one run.
  init(executing: Set<UInt64>, isKilled: Bool, hadOthers: Bool) {
    charged = executing.count == 1 && (!isKilled || !hadOthers) ? executing.first : nil
    suspects = executing
  }
}

/// A line of a script that is not JSON, or that contains names that some readers treat as equal and others do not.
struct UnreadableMessage: Sendable, Hashable {
  /// The number of the run that the line is about; nil if the line does not name it.
  let run: UInt64?
  /// The mistake, for the script's author.
  let crash: ScriptCrash

  /// Describes a line.
  ///
  /// - Parameters:
  ///   - line: the line.
  ///   - error: why it could not be read.
  init(_ line: [UInt8], _ error: any Error) {
    run = Self.run(in: line)
    crash = ScriptCrash("a message of the script cannot be read: \(error)")
  }

  /// Returns the member `run` of the outermost object.
  private static func run(in line: [UInt8]) -> UInt64? {
    var depth = 0
    var index = 0
    while index < line.count {
      switch line[index] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < line.count, line[index] != UInt8(ascii: "\"") { index += line[index] == UInt8(ascii: "\\") ? 2 : 1 }
        guard depth == 1, index < line.count, line[start..<index].elementsEqual("run".utf8) else { break }
        let rest = line[(index + 1)...].drop { $0.isASCIISpace }
        guard rest.first == UInt8(ascii: ":") else { break }
        let digits = rest.dropFirst().drop { $0.isASCIISpace }.prefix { $0.isASCIIDigit }
        return UInt64(String(decoding: digits, as: UTF8.self))
      default: break
      }
      index += 1
    }
    return nil
  }
}

/// The coordinators whose runs may have ended a shared process, and the dedicated processes of their runs. May be used from any
/// thread.
final class RunSuspects: Sendable {
  /// The maximum number of dedicated processes. Further suspects share a process for a while.
  private static let mostHosts = 16

  private static let mostInstances = 1_000

  private struct State: Sendable {
    var instances: Set<String> = []
    var hosts: [ScriptHost] = []
  }

  private let state = Lock(State())

  /// Records that a run of an instance may have ended a process.
  func add(_ instance: String) {
    state.withLock { state in
      // Losing them costs only time: they become suspects again.
      if state.instances.count >= Self.mostInstances { state.instances = [] }
      state.instances.insert(instance)
    }
  }

  /// Records that a run of an instance has made progress, or that no further run follows.
  func remove(_ instance: String) { state.withLock { _ = $0.instances.remove(instance) } }

  /// Returns whether the next run of an instance gets a dedicated process.
  func needsHost(_ instance: String) -> Bool {
    state.withLock { state in
      guard state.instances.contains(instance) else { return false }
      state.hosts.removeAll { !$0.isAlive }
      return state.hosts.count < Self.mostHosts
    }
  }

  /// Records the dedicated process of a suspect.
  func keep(_ host: ScriptHost) { state.withLock { $0.hosts.append(host) } }

  /// The dedicated processes of suspects.
  func takeHosts() -> [ScriptHost] {
    state.withLock { state in
      defer { state.hosts = [] }
      return state.hosts
    }
  }
}
