import CoordinatorBus
import DBus
import Platform
import TestBus

/// A provider in the test's process: its decisions are a closure.
final class TestProvider: ExportedObject {
  /// A question to a provider, as received over the bus.
  struct Question: Sendable {
    let flow: String
    let instance: String
    let turn: UInt64
    let state: String
    let event: [String: Value]
    let context: [String: Value]

    var kind: String { event["kind"]?.string ?? "" }
    var name: String { event["name"]?.string ?? "" }
    var key: String { event["key"]?.string ?? "" }
  }

  /// A call of `Perform`.
  struct Performance: Sendable {
    let instance: String
    let work: String
    let attempt: UInt32
    let argument: String
    let secrets: [String: String]
  }

  /// Returns an answer; nil for none, until ``answerLate(_:)`` is called.
  typealias Decider = @Sendable (Question) throws(DBusError) -> [String: Value]?

  static let path: ObjectPath = "/provider"
  let connection: Connection
  let interfaces = [Contract.flowProvider]
  private let decide: Decider
  private let asked = Observed<[Question]>([])
  private let isSilent = Lock(false)
  private let unanswered = Lock<[IncomingCall]>([])
  let performed = AsyncStream.makeStream(of: Performance.self)
  let cancelled = AsyncStream.makeStream(of: String.self)
  /// The flows that the provider was asked to release.
  let released = AsyncStream.makeStream(of: [String].self)
  /// The instances that have ended, each with its outcome.
  let ended = AsyncStream.makeStream(of: String.self)

  init(_ connection: Connection, decide: @escaping Decider) { (self.connection, self.decide) = (connection, decide) }

  /// The questions, in order.
  var questions: [Question] { asked.value }

  /// Whether the provider stops answering.
  var keepsSilent: Bool {
    get { isSilent.withLock(\.self) }
    set { isSilent.withLock { $0 = newValue } }
  }

  /// Waits until the provider has received a number of questions.
  func asked(_ count: Int) async throws { try await asked { $0.count >= count } }

  /// Waits until the provider has received certain questions.
  func asked(_ isEnough: @escaping @Sendable ([Question]) -> Bool) async throws { try await asked.until(isEnough) }

  /// Answers the last question that was left without an answer.
  func answerLate(_ answer: [String: Value]) { unanswered.withLock { $0.popLast() }?.reply([.vardict(answer)]) }

  /// Serves flows that have only a name and a title.
  @discardableResult
  func serve(_ flows: [String: Value]..., named name: String = "", digest: String? = nil) async throws -> [Value] {
    try? await connection.export(self, at: Self.path)
    return try await register(flows, named: name, digest: digest)
  }

  func register(_ flows: [[String: Value]], named name: String = "", digest: String? = nil) async throws -> [Value] {
    var options: [String: Value] = name.isEmpty ? [:] : ["name": .string(name)]
    options["digest"] = digest.map { .string($0) }
    return try await connection.call(
      MethodCall(
        destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "RegisterFlows",
        arguments: [
          .objectPath(Self.path), .vardicts(flows), .vardict(options),
        ]))
  }

  /// Reports the result of work to the daemon.
  func end(_ performance: Performance, _ result: [String: Value]) async throws {
    _ = try await connection.call(
      MethodCall(
        destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "EndWork",
        arguments: [.string(performance.instance), .string(performance.work), .vardict(result)]))
  }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value { throw .unknownProperty(name) }

  func handle(_ call: IncomingCall) {
    let arguments = call.arguments
    switch call.member {
    case "Decide":
      let question = Question(
        flow: arguments[0].string ?? "", instance: arguments[1].string ?? "", turn: arguments[2].uint64 ?? 0,
        state: arguments[3].string ?? "", event: arguments[4].vardict ?? [:], context: arguments[5].vardict ?? [:])
      asked.update { $0.append(question) }
      do throws(DBusError) {
        guard !keepsSilent, let answer = try decide(question) else { return unanswered.withLock { $0.append(call) } }
        call.reply([.vardict(answer)])
      } catch {
        call.fail(error)
      }
    case "Perform":
      performed.continuation.yield(
        Performance(
          instance: arguments[1].string ?? "", work: arguments[2].string ?? "",
          attempt: arguments[3].uint64.map { UInt32(clamping: $0) } ?? 0, argument: arguments[4].string ?? "",
          secrets: arguments[5].vardict?.compactMapValues(\.string) ?? [:]))
      call.reply()
    case "CancelWork":
      cancelled.continuation.yield(arguments[1].string ?? "")
      call.reply()
    case "Release":
      released.continuation.yield(arguments[0].elements?.compactMap(\.string) ?? [])
      call.reply()
    case "Ended":
      ended.continuation.yield("\(arguments[0].string ?? "") \(arguments[1].string ?? "")")
    default: call.reply()
    }
  }
}

extension [String: Value] {
  /// Returns a flow for `RegisterFlows`.
  static func flow(_ name: String, _ rest: [String: Value] = [:]) -> [String: Value] {
    ["name": .string(name), "title": .string(name)].merging(rest) { $1 }
  }

  /// Returns an answer of a provider.
  static func answer(
    _ state: String, do operations: [[String: Value]] = [], screens: [String: [String: Value]] = [:]
  ) -> [String: Value] {
    [
      "state": .string(state), "do": .vardicts(operations),
      "screens": .vardict(screens.mapValues { .vardict($0) }),
    ]
  }

  /// Returns an operation of an answer.
  static func op(_ name: String, _ rest: [String: Value] = [:]) -> [String: Value] {
    rest.merging(["op": .string(name)]) { $1 }
  }

  /// Returns a screen of an answer.
  static func screen(_ kind: String, _ name: String, _ title: String, actions: [String: String] = [:]) -> [String: Value] {
    [
      "kind": .string(kind), "name": .string(name), "title": .string(title),
      "actions": .vardicts(
        actions.sorted { $0.key < $1.key }.map {
          ["id": .string($0.key), "title": .string($0.value), "role": .string("primary")]
        }),
    ]
  }
}
