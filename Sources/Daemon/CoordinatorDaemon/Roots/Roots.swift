import CoordinatorKit
import DBus

/// A root coordinator that is being started.
struct StartingRoot: Sendable {
  let request: StartRequest
  let sequence: UInt64
  var tree: FlowTree?
  var waiters: [StartWaiter] = []
}

/// A root coordinator that lives.
struct LiveRoot: Sendable {
  let name: String
  /// The order in which roots were started.
  let sequence: UInt64
  let request: StartRequest
  let tree: FlowTree
  /// Another number whenever anything of it is not what it was.
  var stamp: UInt64 = 0
  /// What was last published of the tree; all reads come from it, so that they never wait for a handler.
  var state: TreeState
  var clients = RootClients()
  /// The latest progress of screens whose work has reported some since they were last updated.
  var progress: [ScreenID: Progress] = [:]
}

/// A root coordinator that has ended and is remembered.
struct EndedRoot: Sendable {
  let path: CoordinatorPath
  let flow: String
  /// What was asked for when it was started, to tell whether the same is asked for again.
  let asked: Digest
  /// Whether it was started with a token, so that it can be asked for again.
  let hasToken: Bool
  let outcome: Outcome
  let requests: RequestLedger
}

/// Somebody who called StartFlow or RunFlow and has no answer yet.
struct StartWaiter: Sendable {
  /// Which of the two, that is when to answer.
  enum Kind: Sendable { case started, ended }
  let kind: Kind
  let call: IncomingCall
}
