/// The error that a flow tree returns for a call. Except for ``failed(_:)``, the tree is unchanged.
public enum CallError: Error, Sendable, Hashable {
  /// The tree has no such coordinator, or no longer has it.
  case unknownCoordinator(CoordinatorPath)
  /// The request key was already used for a different call.
  case requestReused(String)
  /// The tree never had a screen with that id.
  case unknownScreen(ScreenID)
  /// The screen existed, but cannot be acted on now.
  case staleScreen(ScreenID, Staleness)
  /// The screen does not offer that event now, or no coordinator takes it.
  case unknownEvent(String)
  /// The payload does not conform to the screen's schema; the reasons are keyed by field.
  case invalidPayload([String: String])
  /// A coordinator refused the call.
  case refused(Refusal)
  /// The coordinator failed while it handled the call, and has ended.
  case failed(Failure)
  /// The transition could not be stored; nothing has changed.
  case notStored(String)

  /// Why a screen cannot be acted on.
  public enum Staleness: String, Sendable, Hashable, Codable {
    /// Another screen is above it.
    case covered
    /// It has been dismissed.
    case gone
    /// It belongs to another coordinator.
    case elsewhere
    /// It has changed since the revision that the user saw.
    case changed
  }
}
