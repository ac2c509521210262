import BusLoad
import CoordinatorBus
import CoordinatorClient
import DBus
import TestBus

/// What a client does next: the moves of a user, but with long shopping tours, and now and then a child that is started from outside.
struct Moves {
  /// The flows that a client starts: those that go on by their users' doing alone, so that every step of them can be told beforehand.
  private static let flows = ["shop", "kanji", "how-to-code", "pets", "schedule-visit", "shop"]
  /// How many screens may lie on each other.
  private static let highest = 6

  private var generator: SeededGenerator
  private var keys = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Whether to do something that is done once in so many times.
  private mutating func isTime(onceIn times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }

  /// The flow to start next.
  mutating func flow() -> String { Self.flows.randomElement(using: &generator) ?? "shop" }

  /// A start that is safe to repeat.
  func start(_ token: String, flow: String) -> MethodCall {
    MethodCall(
      destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "StartFlow",
      arguments: [.string(flow), .vardict([:]), Options(token: token).value])
  }

  /// A call that is safe to repeat.
  ///
  /// - Parameters:
  ///   - ledger: What is known of the tree.
  ///   - root: The path of its root.
  /// - Returns: The call; nil if nothing is shown, or this is not the time for what was thought of.
  /// - Throws: `MalformedScreen`; `InvalidName`.
  mutating func next(in ledger: TreeLedger, _ root: ObjectPath) throws -> MethodCall? {
    guard let window = ledger.told.window, var call = try choose(in: window, root) else { return nil }
    if call.arguments.contains(.string("check-out")), ledger.additions < 10, !isTime(onceIn: 10) { return nil }
    if call.member == "Dismiss", call.path == root, !isTime(onceIn: 10) { return nil }
    keys += 1
    call.arguments[call.arguments.count - 1] = Options(request: "\(ledger.token)-\(keys)").value
    return call
  }

  private mutating func choose(in snapshot: WindowSnapshot, _ root: ObjectPath) throws -> MethodCall? {
    let screens = try snapshot.screens.map { try PresentedScreen(vardict: $0) }
    guard let top = screens.last else { return nil }
    let router = try Contract.routerPath(of: root)
    if screens.count > Self.highest, top.back {
      return MethodCall(
        destination: Contract.busName, path: router, interface: Contract.routerInterface, member: "Back",
        arguments: [.uint64(top.id), .vardict([:])])
    }
    if isTime(onceIn: 30) {
      return MethodCall(
        destination: Contract.busName, path: top.coordinator, interface: Contract.coordinatorInterface, member: "StartChild",
        arguments: [.string("how-to-code"), .vardict([:]), .vardict([:])])
    }
    return PlausibleMove.choose(
      in: MirroredWindow(revision: snapshot.revision, screens: screens), router: router, using: &generator)
  }
}
