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

  /// Replies once the flow has ended: to `StartFlow` with its paths, to `RunFlow` with its outcome.
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

extension [StartWaiter] {
  /// Replies to all calls that wait for a flow that has ended, in turn if that takes much memory.
  ///
  /// - Parameters:
  ///   - root: the flow's root as it was.
  ///   - outcome: its outcome.
  func answer(endOf root: LiveRoot, _ outcome: ToldOutcome) {
    let path = root.state.root
    let inTurn = outcome.mustBeSentInTurn(to: count)
    for waiter in self {
      guard inTurn, waiter.kind == .ended else {
        waiter.answer(endOf: path, outcome)
        continue
      }
      waiter.call.reply(inTurn: { () throws(DBusError) in
        LargeAnswer(key: "end of \(path)", stamp: root.sequence) { outcome.values }
      })
    }
  }
}
