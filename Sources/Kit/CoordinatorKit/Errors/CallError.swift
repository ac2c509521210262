/// Why a flow tree answered a call with an error. Except for ``failed(_:)`` the tree is exactly as it was.
public enum CallError: Error, Sendable, Hashable {
  /// The tree has no such coordinator, or no longer.
  case unknownCoordinator(CoordinatorPath)
  /// The request key stands for another call.
  case requestReused(String)
  /// No screen ever had that id in this tree.
  case unknownScreen(ScreenID)
  /// The screen was there, but cannot be acted on now.
  case staleScreen(ScreenID, Staleness)
  /// The screen does not offer that event now, or nobody takes it.
  case unknownEvent(UnknownEvent)
  /// The payload breaks the screen's schema: reasons by field.
  case invalidPayload([String: String])
  /// A coordinator refused.
  case refused(Refusal)
  /// The coordinator failed while it handled the call; it has ended.
  case failed(Failure)
  /// The transition could not be made durable; nothing has changed.
  case notStored(String)
}
