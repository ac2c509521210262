import CoordinatorBus
import CoordinatorKit
import Languages

/// An event that a ``WindowMirror`` emits to its renderer.
public enum WindowEvent: Sendable, Hashable {
  /// Paint this window.
  case window(MirroredWindow)
  /// The progress of a screen of the painted window has changed.
  case progress(screen: UInt64, CoordinatorKit.Progress)
  /// The draft of a screen of the painted window was changed by another client; empty if the draft was removed.
  case drafted(screen: UInt64, [String: JSONValue])
  /// Another client is typing on a screen. Its draft follows, if the screen is still there.
  case typing(screen: UInt64, by: Participant)
  /// The renderers that are attached, including this one, have changed.
  case participants([Participant])
  /// The language of the painted window has changed. Its screens are already in that language.
  case language(LanguageTag)
  /// Another client has answered a screen. The resulting window follows.
  case answered(Answer)
  /// The daemon has left the bus. The painted window cannot be acted on until the daemon is back.
  case daemonLost
  /// The daemon is back. A window follows if it differs from the painted one.
  case daemonBack
  /// The flow has ended. No event follows.
  case ended(FlowEnd)
}
