import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Platform
import RendererKit

/// `coordinatorctl wait`: waits until a flow tree shows a screen, or ends.
public struct WaitForTree: Sendable {
  private let session: ToolSession

  /// Creates the command.
  public init(_ session: ToolSession) { self.session = session }

  /// Waits, then prints the top screen, or how the flow ended.
  ///
  /// - Parameters:
  ///   - tree: flow tree, which may have ended; nil for the only active one.
  ///   - condition: condition to wait for.
  ///   - isStart: whether the tree may not have been started yet.
  ///   - limit: maximum time to wait, in microseconds; nil for no limit.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ tree: String?, until condition: WaitCondition, orStart isStart: Bool, limit: UInt64?
  ) async throws(ToolFailure) -> ToolExit {
    let deadline = limit.map { ContinuousClock.now + .microseconds(Int64(clamping: $0)) }
    let root: ObjectPath
    if isStart, let tree {
      root = try await TreeStart(session).run(tree, deadline: deadline)
    } else {
      root = try await session.knownRoot(tree)
    }
    return try WaitReport(session).print(
      try await TreeWait(session, root: root).run(until: condition, deadline: deadline), condition)
  }
}

/// The output at the end of a wait.
struct WaitReport: Sendable {
  private let session: ToolSession

  init(_ session: ToolSession) { self.session = session }

  /// Prints the verdict that has ended a wait.
  ///
  /// - Parameters:
  ///   - verdict: verdict that has ended the wait.
  ///   - condition: condition of the wait.
  ///   - revision: revision of the call that preceded the wait; nil if there was none.
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure`` if the condition can no longer hold.
  func print(
    _ verdict: WaitCondition.Verdict, _ condition: WaitCondition, after revision: UInt64? = nil
  ) throws(ToolFailure) -> ToolExit {
    func json(_ window: MirroredWindow) -> JSONValue {
      guard let revision else { return JSONValue(window) }
      return ["revision": JSONValue(count: revision), "window": JSONValue(window)]
    }
    switch verdict {
    case .shown(let window):
      session.output.say(
        window.top.map { [ScreenReport.summary(of: $0, session.output.style)] } ?? ScreenReport.nothing(in: window),
        json: json(window))
      return .success
    case .ended(let end):
      let lines = condition.isEnd ? end.resultLines : end.lines
      session.output.say(
        lines, json: revision.map { JSONValue(end).adding("revision", JSONValue(count: $0)) } ?? JSONValue(end))
      return end.exitCode
    case .missed(let end):
      throw ToolFailure(["the flow has ended (\(end.name)) before it \(condition.clause.inThePast)"], cause: .stale)
    case .held(let window): throw ToolFailure(.refused(.held(message: window.held ?? "")))
    }
  }
}

extension String {
  /// The clause of a condition that a flow can no longer meet, in the past tense.
  fileprivate var inThePast: String { bytes.replacing("shows ", with: "showed ").bytes.replacing("can be", with: "could be") }
}
