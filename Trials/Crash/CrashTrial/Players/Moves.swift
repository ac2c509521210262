import BusLoad
import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import TestBus

/// The moves of a client. They resemble those of a user, but with long shopping tours and the occasional draft, child started
/// from outside, or caller that leaves.
struct Moves {
  /// The flows that clients start: those whose every step is predictable.
  private static let flows = ["shop", "kanji", "how-to-code", "pets", "schedule-visit", "shop"]
  /// The flows with work, and with coordinators that exchange values, which only a trial daemon has.
  private static let trialFlows = ["errands", "errands", "switchboard"]
  /// The maximum number of stacked screens.
  private static let highest = 6

  private var generator: SeededGenerator
  private let hasWork: Bool
  private let hasCallers: Bool
  private var keys = 0

  init(seed: UInt64, hasWork: Bool, hasCallers: Bool = true) {
    (generator, self.hasWork, self.hasCallers) = (SeededGenerator(seed: seed), hasWork, hasCallers)
  }

  /// Returns true once in the given number of times, at random.
  private mutating func isTime(onceIn times: Int) -> Bool { Int.random(in: 0..<times, using: &generator) == 0 }

  /// Returns the flow to start next.
  mutating func flow() -> String {
    if hasWork, isTime(onceIn: 3) { return Self.trialFlows.randomElement(using: &generator) ?? "errands" }
    return Self.flows.randomElement(using: &generator) ?? "shop"
  }

  /// Returns whether the next flow ends with its caller.
  mutating func endsWithCaller() -> Bool { hasCallers && isTime(onceIn: 4) }

  /// Returns whether the caller of a flow that ends with it leaves now.
  mutating func callerLeaves() -> Bool { isTime(onceIn: 8) }

  /// Returns the sequel of a call that makes a screen busy.
  func sequel(of call: MethodCall) -> Sequel.Kind { call.arguments.contains(.string("check")) ? .confidentialWork : .work }

  /// Returns a call that starts a flow and is safe to repeat.
  func start(_ token: String, flow: String, lifetime: Options.Lifetime? = nil) -> MethodCall {
    MethodCall(
      destination: Contract.busName, path: Contract.rootPath, interface: Contract.managerInterface, member: "StartFlow",
      arguments: [.string(flow), .vardict([:]), Options(token: token, lifetime: lifetime).value])
  }

  /// Returns the next call, which is safe to repeat.
  ///
  /// - Parameters:
  ///   - ledger: the ledger of the tree.
  ///   - root: the path of its root.
  /// - Returns: the call; nil if no screen is shown, or the chosen move is not made this time.
  /// - Throws: `MalformedScreen`; `InvalidName`.
  mutating func next(in ledger: TreeLedger, _ root: ObjectPath) throws -> MethodCall? {
    guard let window = ledger.told.window, var call = try choose(in: window, root) else { return nil }
    if call.arguments.contains(.string("check-out")), ledger.additions < 10, !isTime(onceIn: 10) { return nil }
    if call.member == "Dismiss", call.path == root, !isTime(onceIn: 10) { return nil }
    // Saving a draft is idempotent, so it needs no request key.
    if call.member == "SaveDraft" { return call }
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
    if let form = top.screen.form, isTime(onceIn: 5) { return draft(of: form.schema, on: top.id, router) }
    return PlausibleMove.choose(
      in: MirroredWindow(revision: snapshot.revision, screens: screens), router: router, using: &generator)
  }

  private mutating func draft(of schema: Schema, on screen: UInt64, _ router: ObjectPath) -> MethodCall? {
    let values = schema.acceptedObject(using: &generator).filter { !schema.secretFields.contains($0.key) }
    guard let values = try? Value.object(values) else { return nil }
    return MethodCall(
      destination: Contract.busName, path: router, interface: Contract.routerInterface, member: "SaveDraft",
      arguments: [.uint64(screen), values, .vardict([:])])
  }
}
