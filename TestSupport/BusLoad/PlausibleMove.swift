import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// Chooses a plausible next step of a renderer's user.
public enum PlausibleMove {
  /// Returns a call that the top screen offers: one of its actions, a row of its list, its form filled in as its schema
  /// requires, going back, or, rarely, dismissing the coordinator.
  ///
  /// - Parameters:
  ///   - window: the window, as a renderer shows it.
  ///   - router: the path of the tree's router.
  ///   - generator: the source of randomness.
  /// - Returns: the call; nil if no screen is shown.
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
