import CoordinatorBus
import DBus
import Glibc
import Platform

/// The object that the daemon calls.
final class Provider: ExportedObject {
  private struct State: Sendable {
    var daemon = ""
    var registrations = 0
    /// The states and turns of its last answers, which a correct provider must not keep.
    var states: [String: (turn: UInt64, answer: RawAnswer)] = [:]
    var current: RawQuestion?
  }

  static let path: ObjectPath = "/provider"
  let interfaces = [Contract.flowProvider]
  private let connection: Connection
  private let flow: SignIn
  private let worker: Worker
  private let version: UInt32
  private let state = Lock(State())

  private var mistake: Mistake? { flow.mistake }

  init(_ connection: Connection, _ mistake: Mistake?, version: UInt32) {
    self.connection = connection
    self.version = version
    flow = SignIn(mistake: mistake)
    worker = Worker(connection, mistake)
  }

  /// Registers with each daemon, until the bus goes away.
  func serve() async throws {
    try await connection.export(self, at: Self.path)
    let signals = try await connection.signals(
      matching: MatchRule(
        sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
        arguments: [0: Contract.busName]))
    let request = MethodCall(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
      member: "GetNameOwner", arguments: [.string(Contract.busName)])
    await found(daemon: (try? await connection.call(request).first?.string) ?? "")
    for await delivery in signals {
      if case .signal(let signal) = delivery { await found(daemon: signal.body[2].string ?? "") }
    }
  }

  private func found(daemon: String) async {
    let isNew = state.withLock { state in
      defer { state.daemon = daemon }
      return state.daemon != daemon && !daemon.isEmpty && (mistake != .registersOnce || state.registrations == 0)
    }
    if isNew { await register() }
  }

  private func register() async {
    state.withLock { $0.registrations += 1 }
    var flow: [String: Value] = [
      "name": .string("sign-in"), "title": .string("Sign in"), "version": .uint32(version),
    ]
    if mistake == .badFlow { flow["title"] = nil }
    if mistake == .neverAnswers { flow["deadline"] = .uint64(300_000) }
    let name = mistake == .foreignName ? ["name": Value.string("com.example.Other")] : [:]
    let call = MethodCall(
      destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "RegisterFlows",
      arguments: [.objectPath(Self.path), .vardicts([flow]), .vardict(name)], autoStart: false)
    _ = try? await connection.call(call)
  }

  func handle(_ call: IncomingCall) {
    guard mistake == .answersStrangers || state.withLock({ $0.daemon == call.sender }) else {
      return call.fail(.accessDenied("only the daemon may ask"))
    }
    switch call.member {
    case "Decide": decide(call)
    case "Perform": worker.perform(call)
    case "CancelWork":
      worker.cancel(call.arguments[0].string ?? "", call.arguments[1].string ?? "")
      call.reply()
    case "Ended":
      worker.end(call.arguments[0].string ?? "")
      call.reply()
    default:
      call.reply()
      if mistake == .registersAfterRelease { Task { await register() } }
    }
  }

  private func decide(_ call: IncomingCall) {
    if mistake == .exitsAfterPause, FaultyProvider.wasPaused { _exit(3) }
    let question = RawQuestion(call.arguments)
    if mistake == .neverAnswers, question.name == "wait" { return call.keep() }
    if mistake == .startsFlow { return startFlow(call) }
    guard mistake == .sharedVariable else { return answer(question, call) }
    state.withLock { $0.current = question }
    Task {
      try? await Task.sleep(for: .milliseconds(5))
      answer(state.withLock(\.current) ?? question, call)
    }
  }

  private func answer(_ question: RawQuestion, _ call: IncomingCall) {
    do throws(DBusError) {
      call.reply([try (mistake == .remembersState ? recalled(question) : flow.decide(question)).value])
    } catch {
      call.fail(error)
    }
  }

  /// Decides from the state of its last answer instead of that in the arguments.
  private func recalled(_ question: RawQuestion) throws(DBusError) -> RawAnswer {
    var question = question
    let last = state.withLock { $0.states[question.instance] }
    if let last, last.turn == question.turn { return last.answer }
    if let last { question.state = last.answer.state }
    let answer = try flow.decide(question)
    state.withLock { $0.states[question.instance] = (question.turn, answer) }
    return answer
  }

  private func startFlow(_ call: IncomingCall) {
    Task {
      let start = MethodCall(
        destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "StartFlow",
        arguments: [.string("other"), .vardict([:]), .vardict([:])])
      _ = try? await connection.call(start)
      answer(RawQuestion(call.arguments), call)
    }
  }
}

extension IncomingCall {
  /// Leaves the call unanswered until the caller gives up.
  fileprivate func keep() {
    Task {
      try? await Task.sleep(for: .seconds(60))
      reply()
    }
  }
}
