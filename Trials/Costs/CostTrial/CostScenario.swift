/// A kind of call whose cost is kept.
enum CostScenario: String, CaseIterable {
  /// An event that takes a screen down and puts another up, with a renderer attached.
  case delegate
  /// The same, stored first.
  case delegateStored = "delegate-stored"
  /// An event from a screen that is gone.
  case refusal
  /// A flow that is started and dismissed.
  case startAndDismiss = "start-and-dismiss"
  /// All properties of a router.
  case read

  /// Whether the daemon keeps a journal.
  var isStored: Bool { self == .delegateStored }
}
