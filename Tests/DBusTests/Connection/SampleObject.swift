import Platform
import TestBus

@testable import DBus

/// An object with a method of each kind, for the tests.
final class SampleObject: ExportedObject {
  static let name = "org.example.Sample"
  static let path: ObjectPath = "/org/example/Sample"

  let interfaces = [
    InterfaceDescription(
      SampleObject.name,
      methods: [
        MethodDescription("Echo", inputs: [Argument("in", "v")], outputs: [Argument("out", "v")]),
        MethodDescription("Fail", inputs: [Argument("text", "s")]),
        MethodDescription("Set", inputs: [Argument("level", "u")], outputs: [Argument("level", "u")]),
        MethodDescription("Keep"),
        MethodDescription("Drop"),
        MethodDescription("Lie", outputs: [Argument("number", "u")]),
        MethodDescription("Deep", outputs: [Argument("out", "v")]),
        MethodDescription("Count"),
        MethodDescription("Spin"),
        MethodDescription("Large", inputs: [Argument("key", "s")], outputs: [Argument("out", "s")]),
      ],
      signals: [SignalDescription("Happened", arguments: [Argument("what", "s")])],
      properties: [
        PropertyDescription("Level", "u", access: .readWrite),
        PropertyDescription("Hidden", "s", emitsChanged: .invalidates),
        PropertyDescription("Quiet", "s", emitsChanged: .false),
        PropertyDescription("Fixed", "s", emitsChanged: .const),
        PropertyDescription("Broken", "s"),
        PropertyDescription("Secret", "s", access: .write),
      ]),
    InterfaceDescription("org.example.Plain", methods: [MethodDescription("Count")]),
  ]

  private struct State {
    var level: UInt32 = 1
    var kept: [IncomingCall] = []
    var keepsForLong = false
    var counted: [String] = []
    var spun = 0
    var stamp: UInt64 = 0
    var made: [String] = []
    var large = String(repeating: "x", count: 100_000)
    var whenSpun: (@Sendable () -> Void)?
    var whenMaking: (@Sendable () -> Void)?
  }

  private let state = Observed(State())
  /// The closure that ``Set`` calls on the connection's executor.
  private let onSet = Lock<(@Sendable () -> Void)?>(nil)

  var kept: [IncomingCall] { state.value.kept }
  var counted: [String] { state.value.counted }
  /// Waits until a number of calls is kept, and returns them.
  @discardableResult
  func keeps(_ count: Int) async throws -> [IncomingCall] { try await state.until { $0.kept.count >= count }.kept }
  /// Waits until a number of calls has been counted.
  func counts(_ count: Int) async throws { try await state.until { $0.counted.count >= count } }
  /// The number of times that ``Spin`` has run.
  var spun: Int { state.value.spun }
  /// The keys of the large answers that were made, in order.
  var made: [String] { state.value.made }
  /// Sets the contents of large answers from now on.
  func setLarge(_ text: String) {
    state.update { state in
      state.large = text
      state.stamp += 1
    }
  }
  /// Sets a closure to call each time that ``Spin`` begins.
  func whenSpun(_ body: @escaping @Sendable () -> Void) { state.update { $0.whenSpun = body } }
  /// Sets a closure to call each time that a large answer is made, on the thread that makes it.
  func whenMaking(_ body: @escaping @Sendable () -> Void) { state.update { $0.whenMaking = body } }
  func whenSet(_ body: @escaping @Sendable () -> Void) { onSet.withLock { $0 = body } }

  func property(_ name: String, of interface: String) throws(DBusError) -> Value {
    switch name {
    case "Level": return .uint32(state.value.level)
    case "Broken": throw .failed("out of order")
    default: return .string(name.lowercased())
    }
  }

  func setProperty(_ name: String, of interface: String, to value: Value) throws(DBusError) {
    guard let level = value.integer.flatMap({ UInt32(exactly: $0) }) else { return }
    state.update { $0.level = level }
  }

  func handle(_ call: IncomingCall) {
    switch call.member {
    case "Echo": call.reply(call.arguments)
    case "Fail":
      call.fail(DBusError(name: "org.example.Error.Failed", message: call.arguments[0].string ?? "", extra: [.uint32(7)]))
    case "Set":
      state.update { $0.level = UInt32(call.arguments[0].integer ?? 0) }
      onSet.withLock { $0 }?()
      call.reply(call.arguments)
    case "Keep": keep(call)
    case "Spin": spin(call)
    case "Large":
      let key = call.arguments[0].string ?? ""
      call.reply(inTurn: { () throws(DBusError) in self.large(key) })
    case "Lie": call.reply([.string("no number")])
    case "Deep": call.reply([.variant(nested(30))])
    case "Count":
      state.update { $0.counted.append(call.interface ?? "") }
      call.reply()
    default: break
    }
  }

  /// Occupies the loop for longer than a call may take before it counts as slow.
  private func spin(_ call: IncomingCall) {
    state.value.whenSpun?()
    let end = ContinuousClock.now + .milliseconds(2)
    while ContinuousClock.now < end {}
    state.update { $0.spun += 1 }
    call.reply()
  }

  private func large(_ key: String) -> LargeAnswer {
    let now = state.value
    return LargeAnswer(key: key, stamp: now.stamp) { [self] () throws(DBusError) in
      state.value.whenMaking?()
      state.update { $0.made.append(key) }
      return [.string(now.large)]
    }
  }

  private func keep(_ call: IncomingCall) {
    var call = call
    do throws(DBusError) {
      if state.value.keepsForLong { try call.waitForLong() }
      state.update { [call] in $0.kept.append(call) }
    } catch {
      call.fail(error)
    }
  }

  /// Declares that calls kept from now on wait for long.
  func keepForLong() { state.update { $0.keepsForLong = true } }

  func letGo() { state.update { $0.kept = [] } }
}

/// Returns `a{sv}` nested in `a{sv}`, `levels` times. Each takes 3 levels on the wire.
func nested(_ levels: Int) -> Value {
  (0..<levels).reduce(.string("bottom")) { value, _ in .vardict(["in": value]) }
}

/// A bus with a service and a client, each with its own loop.
struct SampleBus {
  let bus: PrivateBus
  let service: Connection
  let client: Connection
  let object = SampleObject()
  let sample: Proxy

  init(limits: MessageLimits = .default, admitting rule: AdmissionRule? = nil) async throws {
    bus = try PrivateBus()
    service = try await Connection.open(.address(bus.address), limits: limits, admitting: rule)
    client = try await Connection.open(.address(bus.address))
    try await service.export(object, at: SampleObject.path)
    _ = try await service.requestName(SampleObject.name)
    sample = Proxy(connection: client, destination: SampleObject.name, path: SampleObject.path, interface: SampleObject.name)
  }

  /// Returns the name of the error that a call is answered with, without the standard prefix; nil if it succeeds.
  func error(
    _ member: String, _ arguments: [Value] = [], interface: String? = SampleObject.name, path: ObjectPath = SampleObject.path
  ) async throws -> String? {
    do {
      _ = try await client.call(
        MethodCall(destination: SampleObject.name, path: path, interface: interface, member: member, arguments: arguments))
      return nil
    } catch let error as DBusError {
      return error.name.hasPrefix(DBusError.standardPrefix)
        ? String(error.name.dropFirst(DBusError.standardPrefix.count)) : error.name
    }
  }

  /// Returns all match rules on the bus.
  func matchRules() async throws -> [String] {
    let values = try await client.call(
      destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus.Debug.Stats",
      member: "GetAllMatchRules")
    guard case .dictionary(_, _, let entries)? = values.first else { return [] }
    return entries.flatMap { $0.value.elements ?? [] }.compactMap(\.string)
  }
}
