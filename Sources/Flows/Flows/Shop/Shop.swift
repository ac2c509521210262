import CoordinatorKit

/// The application coordinator of a shop, which admits users who have logged in.
///
/// Demonstrates: replacing one child by another. The first child is gone once it has finished, and the user cannot go
/// back to it.
actor Shop: Coordinator {
  static let flow = FlowDescription(
    "shop", title: "Shop", summary: "Log in, look around, fill a basket, check out.", router: .window, isRehearsable: true)

  typealias Result = ShopMain.Result

  let context = Context()

  func start() throws { try startChild(LogIn.self, router: .window) }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    // Any client may start a log-in here too. A user who is already in the shop is not sent back to the entrance.
    let isOpen = children.contains { $0.isInstance(of: ShopMain.self) }
    if child.isInstance(of: LogIn.self), case .finished = outcome, !isOpen {
      try startChild(ShopMain.self, router: .window)
    } else if children.isEmpty {
      // Only the shop's result is also a result of this flow.
      if child.isInstance(of: ShopMain.self) { end(as: outcome) } else { cancel() }
    }
  }
}
