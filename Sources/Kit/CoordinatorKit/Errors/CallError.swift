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
  /// The screen does not offer that event now, or nobody takes it.
  case unknownEvent(UnknownEvent)
  /// The payload breaks the screen's schema: reasons by field.
  case invalidPayload([String: String])
  /// A coordinator refused the call.
  case refused(Refusal)
  /// A coordinator that would have to handle the call is held, for a reason; nothing has changed.
  case held(CoordinatorPath, String)
  /// The process that serves a coordinator's flow has not decided what comes of the call; nothing has changed.
  case provider(ProviderTrouble)
  /// The coordinator failed while it handled the call, and has ended.
  case failed(Failure)
  /// The transition could not be stored; nothing has changed.
  case notStored(String)
}
