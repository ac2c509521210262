import CoordinatorClient
import RendererKit

/// The state that the caller of `send` or `back` expects of the flow tree. A value that decides, without I/O.
public struct SendGuard: Sendable, Hashable {
  /// The names of screens, one of which must be on top; empty for any.
  public var screens: [String]
  /// The revision that the caller has seen; nil for the present one.
  public var seen: UInt64?

  /// Creates a guard; by default, one that expects nothing.
  public init(screens: [String] = [], seen: UInt64? = nil) {
    self.screens = screens
    self.seen = seen
  }

  /// Checks a window.
  ///
  /// - Throws: ``ToolFailure`` with a separate exit code if another screen is on top, if there is none, or if the revision is
  ///   in the future. The daemon decides whether the seen screen has changed.
  func check(_ window: MirroredWindow) throws(ToolFailure) {
    let top = window.top?.screen.name
    if !screens.isEmpty, !screens.contains(where: { $0 == top }) {
      let expected = screens.map { "'\($0.printable)'" }.joined(separator: " or ")
      throw ToolFailure(
        ["nothing was done: the screen on top is " + (top.map { "'\($0.printable)'" } ?? "none") + ", not \(expected)"],
        cause: .stale)
    }
    if seen != nil, top == nil {
      throw ToolFailure(["nothing was done: the flow shows no screen, so nothing of it was seen"], cause: .stale)
    }
    if let seen, seen > window.revision {
      throw ToolFailure(
        ["nothing was done: revision \(seen) is still to come; the present one is \(window.revision)"], cause: .stale)
    }
  }
}
