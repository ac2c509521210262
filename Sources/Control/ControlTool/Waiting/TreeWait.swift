import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Follows a flow tree until a condition holds.
struct TreeWait: Sendable {
  private let session: ToolSession
  private let root: ObjectPath

  /// Creates a wait for the tree with a root coordinator, which may have ended.
  init(_ session: ToolSession, root: ObjectPath) {
    self.session = session
    self.root = root
  }

  /// Waits for a condition. Meanwhile this process counts as a renderer that only observes.
  ///
  /// - Parameters:
  ///   - condition: condition to wait for.
  ///   - end: deadline; nil for none.
  /// - Returns: the verdict that has ended the wait.
  /// - Throws: ``ToolFailure``, with a separate exit code if the deadline has passed.
  func run(
    until condition: WaitCondition, deadline end: ContinuousClock.Instant? = nil
  ) async throws(ToolFailure) -> WaitCondition.Verdict {
    let (verdict, last) = try await session.doing { () async throws(ClientError) in try await follow(condition, end) }
    if let verdict { return verdict }
    let shown = last.map { ", and shows '\($0.screen.name.printable)'" + ($0.screen.progress == nil ? "" : ", which is busy") }
    throw ToolFailure(
      ["timed out before '\(TreeSelector.name(root).printable)' \(condition.clause)", "  it is still running" + (shown ?? "")],
      cause: .timedOut)
  }

  private func follow(
    _ condition: WaitCondition, _ end: ContinuousClock.Instant?
  ) async throws(ClientError) -> (WaitCondition.Verdict?, last: PresentedScreen?) {
    // Every window counts, because the expected one may be on top only briefly.
    let mirror = try await WindowMirror.attach(to: root, of: session.daemon, kind: "watch", isComplete: true)
    let timer = Task {
      guard let end, (try? await Task.sleep(until: end, clock: .continuous)) != nil else { return }
      await mirror.close()
    }
    defer { timer.cancel() }
    var last: PresentedScreen?
    for try await event in mirror.events {
      if case .window(let window) = event { last = window.top }
      guard let verdict = condition.verdict(on: event) else { continue }
      await mirror.close()
      return (verdict, last)
    }
    return (nil, last)
  }
}
