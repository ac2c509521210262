import CoordinatorBus
import CoordinatorKit

/// What a ``WindowMirror`` tells its renderer.
public enum WindowEvent: Sendable, Hashable {
  /// Paint this window.
  case window(MirroredWindow)
  /// The work on a screen of the painted window has come this far.
  case progress(screen: UInt64, CoordinatorKit.Progress)
  /// Something else was typed elsewhere on a screen of the painted window, and not sent yet; empty if nothing is kept any more.
  case drafted(screen: UInt64, [String: JSONValue])
  /// Somebody else has answered a screen; the window that this led to follows.
  case answered(Answer)
  /// The daemon has left the bus. The painted window cannot be acted on until it is back.
  case daemonLost
  /// The daemon is back. A window follows if it is another one than before.
  case daemonBack
  /// The flow has ended; nothing follows.
  case ended(FlowEnd)
}
