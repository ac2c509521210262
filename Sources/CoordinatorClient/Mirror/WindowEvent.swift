import CoordinatorBus
import CoordinatorKit

/// What a ``WindowMirror`` tells its renderer.
public enum WindowEvent: Sendable, Hashable {
  /// Paint this window.
  case window(MirroredWindow)
  /// The work on a screen of the painted window has come this far.
  case progress(screen: UInt64, CoordinatorKit.Progress)
  /// The daemon has left the bus. The painted window cannot be acted on until it is back.
  case daemonLost
  /// The daemon is back. A window follows if it is another one than before.
  case daemonBack
  /// The flow has ended; nothing follows.
  case ended(FlowEnd)
}
