import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// What the user of a renderer may do next, as a call.
public enum PlausibleMove {
  /// Chooses among what the screen on top offers: its actions, a row of its list, its form filled in as its schema asks, going
  /// back, and seldom leaving the whole flow.
  ///
  /// - Parameters:
  ///   - window: What is shown.
  ///   - router: The path of the tree's router.
  ///   - generator: Decides.
  /// - Returns: The call; nil if nothing is shown.
  public static func choose(
    in window: MirroredWindow, router: ObjectPath, using generator: inout some RandomNumberGenerator
  ) -> MethodCall? {
    guard let top = window.top else { return nil }
    let dice = Int.random(in: 0..<100, using: &generator)
    if dice < 4 {
      return MethodCall(
        destination: Contract.busName, path: top.coordinator, interface: Contract.coordinatorInterface, member: "Dismiss",
        arguments: [.boolean(.random(using: &generator)), .vardict([:])])
    }
    if dice < 20, top.back {
      return MethodCall(
        destination: Contract.busName, path: router, interface: Contract.routerInterface, member: "Back",
        arguments: [.uint64(top.id), .vardict([:])])
    }
    let (event, payload) = answer(to: top.screen, using: &generator)
    return MethodCall(
      destination: Contract.busName, path: top.coordinator, interface: Contract.coordinatorInterface, member: "Delegate",
      arguments: [.uint64(top.id), .string(event), payload, .vardict([:])])
  }

  private static func answer(to screen: Screen, using generator: inout some RandomNumberGenerator) -> (String, Value) {
    if let item = screen.items?.randomElement(using: &generator), Int.random(in: 0..<4, using: &generator) > 0 {
      return ("select", .vardict(["id": .string(item.id)]))
    }
    guard let action = screen.actions.randomElement(using: &generator) else { return ("select", .vardict([:])) }
    guard action.role == .primary, let form = screen.form else { return (action.id, .vardict([:])) }
    return (action.id, (try? .object(form.schema.acceptedObject(using: &generator))) ?? .vardict([:]))
  }
}
