import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

/// The condition that `coordinatorctl wait` waits for. A value that decides, without I/O.
public struct WaitCondition: Sendable, Hashable {
  /// The meaning of a window or an end for the wait.
  public enum Verdict: Sendable, Hashable {
    /// The flow shows a screen that meets the condition.
    case shown(MirroredWindow)
    /// The flow has ended. This was the condition, or ends the wait as well.
    case ended(FlowEnd)
    /// The flow has ended, and can no longer meet the condition.
    case missed(FlowEnd)
    /// The flow is held: nothing happens until its problem is fixed.
    case held(MirroredWindow)
  }

  /// The names of screens, one of which must be on top; empty for any.
  public var screens: [String]
  /// Whether the screen on top must not be busy.
  public var isIdle: Bool
  /// Whether only the end of the flow ends the wait.
  public var isEnd: Bool
  /// The lowest revision that counts: windows of earlier revisions are ignored.
  public var revision: UInt64

  /// Creates a condition. Without arguments, it requires a screen on top that is not busy, so that a user must answer.
  public init(screens: [String] = [], isIdle: Bool = false, isEnd: Bool = false, revision: UInt64 = 0) {
    self.screens = screens
    self.isIdle = isIdle || screens.isEmpty
    self.isEnd = isEnd
    self.revision = revision
  }

  /// Returns the meaning of an event; nil to continue waiting.
  public func verdict(on event: WindowEvent) -> Verdict? {
    switch event {
    case .window(let window): verdict(on: window)
    case .ended(let end): screens.isEmpty || isEnd ? .ended(end) : .missed(end)
    default: nil
    }
  }

  private func verdict(on window: MirroredWindow) -> Verdict? {
    if window.held != nil { return .held(window) }
    guard !isEnd, window.revision >= revision, let top = window.top?.screen else { return nil }
    guard screens.isEmpty || screens.contains(where: { $0.bytes.equals(top.name) }) else { return nil }
    return isIdle && top.progress != nil ? nil : .shown(window)
  }

  /// The condition as a clause for messages: `'pets_1' …`.
  public var clause: String {
    if isEnd { return "has ended" }
    let idle = isIdle ? "can be answered" : nil
    let shown = screens.isEmpty ? nil : "shows " + screens.map { "'\($0.printable)'" }.joined(separator: " or ")
    return [shown, idle].compactMap(\.self).joined(separator: " and ")
  }
}
