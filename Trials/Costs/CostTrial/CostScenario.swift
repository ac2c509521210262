/// A kind of call whose cost is recorded.
enum CostScenario: String, CaseIterable {
  /// An event that replaces a screen, with a renderer attached.
  case delegate
  /// The same event with a journal, which stores the transition first.
  case delegateStored = "delegate-stored"
  /// An event from a screen that is gone.
  case refusal
  /// The start and the dismissal of a flow.
  case startAndDismiss = "start-and-dismiss"
  /// A read of all properties of a router.
  case read

  /// Whether the daemon has a journal.
  var isStored: Bool { self == .delegateStored }
}
