import CoordinatorBus
import CoordinatorKit
import DBus
import Flows
import Foundation
import TestBus
import Testing

@Suite("The shipped flows, served by a second process, give the same over the bus", .timeLimit(.minutes(5)))
struct BusGoldenTests {
  @Test("A daemon without these flows lists them like one that has them built in")
  func listed() async throws {
    let (builtIn, served, program) = try await daemons()
    let one = try await builtIn.flows()
    let other = try await served.flows()
    #expect(one.count == 12 && one == other)
    try await end(builtIn, served, program)
  }

  @Test("Each move of a random walk has the same answer, and leads to the same window", arguments: flows)
  func walked(flow: String) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("\(flow): seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let (builtIn, served, program) = try await daemons()
    for _ in 0..<4 {
      let input = Self.inputs[flow] ?? [:]
      let root = try await builtIn.start(flow, input)
      #expect(try await served.start(flow, input) == root)
      for _ in 0..<15 {
        let screens = try await builtIn.look(root)
        #expect(try await served.look(root) == screens)
        guard let call = screens.last.flatMap({ Self.move(on: $0, of: root, &random) }) else { break }
        #expect(await builtIn.answer(to: call) == served.answer(to: call))
      }
      _ = await builtIn.answer(to: Self.dismissal(of: root))
      _ = await served.answer(to: Self.dismissal(of: root))
      #expect(try await builtIn.outcome(root) == served.outcome(root))
    }
    try await end(builtIn, served, program)
  }

  // A log-in takes as long as it takes, and quotes are in no order.
  static let flows = [
    "how-to-code", "schedule-visit", "pets", "kanji", "kanji-list", "kanji-detail", "log-in", "shop-main", "shop",
    "product-details",
  ]

  private static let inputs: [String: [String: Value]] = [
    "kanji-detail": ["kanji": .string("水")], "product-details": ["product": .string("lamp")],
  ]

  private func daemons() async throws -> (ServedDaemon, ServedDaemon, Program) {
    let builtIn = try await ServedDaemon(.builtIn())
    let served = try await ServedDaemon()
    let changes = try await served.flowsChanged()
    let program = try Program([BuiltProgram.path("flows-provider"), "--address", served.bus.address])
    try await changes.waitForFlows()
    return (builtIn, served, program)
  }

  private func end(_ builtIn: ServedDaemon, _ served: ServedDaemon, _ program: Program) async throws {
    try await builtIn.end()
    try await served.end()
    program.signal(SIGTERM)
    let report = await program.ended()
    #expect(report.errors == "")
  }

  /// Returns something that the user of a screen may do.
  private static func move(
    on screen: [String: Value], of root: ObjectPath, _ random: inout SeededGenerator
  ) -> MethodCall? {
    guard let id = screen["id"], let path = screen["coordinator"]?.objectPath else { return nil }
    let dice = Int.random(in: 0..<10, using: &random)
    if dice < 2, let router = try? Contract.routerPath(of: root) {
      return call(router, Contract.routerInterface, "Back", [id, .vardict([:])])
    }
    if dice < 7, let item = screen["items"]?.elements?.randomElement(using: &random)?.vardict?["id"] {
      let arguments: [Value] = [id, .string("select"), .vardict(["id": item]), .vardict([:])]
      return call(path, Contract.coordinatorInterface, "Delegate", arguments)
    }
    let action = screen["actions"]?.elements?.randomElement(using: &random)?.vardict?["id"] ?? .string("unknown")
    return call(path, Contract.coordinatorInterface, "Delegate", [id, action, .vardict([:]), .vardict([:])])
  }

  private static func dismissal(of root: ObjectPath) -> MethodCall {
    call(root, Contract.coordinatorInterface, "Dismiss", [.boolean(true), .vardict([:])])
  }

  private static func call(_ path: ObjectPath, _ interface: String, _ member: String, _ arguments: [Value]) -> MethodCall {
    MethodCall(
      destination: Contract.busName, path: path, interface: interface, member: member, arguments: arguments)
  }
}

extension ServedDaemon {
  /// The flows that are listed, but for who serves them.
  fileprivate func flows() async throws -> [[String: Value]] {
    let flows = try await call(Contract.rootPath, Contract.managerInterface, "ListFlows", []).first?.elements ?? []
    return flows.compactMap { flow in
      var values = flow.vardict
      values?["provider"] = nil
      return values
    }
  }

  /// The screens, but for where they come from.
  fileprivate func look(_ root: ObjectPath) async throws -> [[String: Value]] {
    do {
      return try await screens(root).map { screen in
        var screen = screen
        screen["origin"] = nil
        return screen
      }
    } catch let error as DBusError where error.isStandard("UnknownObject") {
      return []
    }
  }

  /// The answer to a call, or its error.
  fileprivate func answer(to call: MethodCall) async -> String {
    do { return "\(try await client.call(call))" } catch { return "\(error)" }
  }
}
