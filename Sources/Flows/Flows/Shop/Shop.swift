import CoordinatorKit

/// A shop: the application coordinator, which lets in who has logged in.
///
/// Shows: replacing one child by another. The first is gone when it has done its job, and nobody can go back to it.
actor Shop: Coordinator {
  static let flow = FlowDescription(
    "shop", title: "Shop", summary: "Log in, look around, fill a basket, check out.", router: .window, isRehearsable: true)

  let context = Context()

  func start() throws { try startChild(LogIn.self, router: .window) }

  func childEnded(_ child: Child, outcome: Outcome) throws {
    // Anybody may start a log-in here as well: who is in the shop already is not sent to its door.
    let isOpen = children.contains { $0.isInstance(of: ShopMain.self) }
    if child.isInstance(of: LogIn.self), case .finished = outcome, !isOpen {
      try startChild(ShopMain.self, router: .window)
    } else if children.isEmpty {
      end(as: outcome)
    }
  }
}
