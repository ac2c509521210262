import CoordinatorBus
import CoordinatorKit
import DBus

/// A call of `StartFlow` or `RunFlow` that has not been answered.
struct StartWaiter: Sendable {
  /// The method, which determines when to reply: when the flow has started, or when it has ended.
  enum Kind: Sendable { case started, ended }
  let kind: Kind
  let call: IncomingCall

  /// Replies with the paths of a flow that has started.
  func answer(startOf root: CoordinatorPath) { call.reply(Self.paths(of: root)) }

  /// Replies that the flow has ended.
  ///
  /// - Parameters:
  ///   - root: the path of the flow's root.
  ///   - outcome: its outcome, as it is told to clients.
  func answer(endOf root: CoordinatorPath, _ outcome: ToldOutcome) {
    switch kind {
    case .started: answer(startOf: root)
    case .ended: call.reply(outcome.values)
    }
  }

  private static func paths(of root: CoordinatorPath) -> [Value] { [.objectPath(root.objectPath), .objectPath(root.routerPath)] }
}

/// The outcome of a flow, as it is told to clients.
struct ToldOutcome: Sendable, Hashable {
  let outcome: Outcome
  /// Whether the flow was ended only because the daemon ends, and persists nothing.
  var isEndingAll = false

  /// The outcome and its result, as `RunFlow` and `GetOutcome` return them. If a flow was cancelled only because the
  /// daemon ends, the result says so.
  var values: [Value] {
    let isStopped = isEndingAll && outcome == .cancelled
    return [.string(outcome.name), isStopped ? .vardict(["reason": .string("stopped")]) : outcome.resultValue]
  }

  /// Returns whether many replies with it, or a few large ones, each have to wait until there is room.
  ///
  /// - Parameter count: the number of replies.
  /// - Returns: whether they have to wait.
  func isLarge(for count: Int) -> Bool { count > 16 || (count > 1 && outcome.roughSize > LargeAnswer.size) }
}

extension [StartWaiter] {
  /// Replies to all calls that wait for a flow that has ended, in turn if that takes much memory.
  ///
  /// - Parameters:
  ///   - root: the flow's root as it was.
  ///   - outcome: its outcome.
  func answer(endOf root: LiveRoot, _ outcome: ToldOutcome) {
    let path = root.state.root
    let isLarge = outcome.isLarge(for: count)
    for waiter in self {
      guard isLarge, waiter.kind == .ended else {
        waiter.answer(endOf: path, outcome)
        continue
      }
      waiter.call.reply(inTurn: { () throws(DBusError) in
        LargeAnswer(key: "end of \(path)", stamp: root.sequence) { outcome.values }
      })
    }
  }
}
