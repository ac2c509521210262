import CoordinatorKit
import DBus

/// A root coordinator that is being started.
struct StartingRoot: Sendable {
  let request: StartRequest
  let sequence: UInt64
  var tree: FlowTree?
  var waiters: [StartWaiter] = []
}

/// A live root coordinator.
struct LiveRoot: Sendable {
  let name: String
  /// The number of the root, in the order in which roots were started.
  let sequence: UInt64
  let request: StartRequest
  let tree: FlowTree
  /// A number that changes whenever anything about the root changes.
  var stamp: UInt64 = 0
  /// The last published state of the tree. All reads are answered from it, so that they never wait for a handler.
  var state: TreeState
  var clients = RootClients()
  /// The latest progress of each screen whose work has reported progress since the screen was last updated.
  var progress: [ScreenID: Progress] = [:]
}

/// An ended root coordinator that is remembered.
struct EndedRoot: Sendable {
  let path: CoordinatorPath
  let flow: String
  /// The digest of the request that started the root, which tells whether a later request is the same.
  let asked: Digest
  /// Whether the root was started with a token, so that it can be requested again.
  let hasToken: Bool
  let outcome: Outcome
  let requests: RequestLedger
}

/// A call of `StartFlow` or `RunFlow` that has not been answered.
struct StartWaiter: Sendable {
  /// The method, which determines when to reply: when the flow has started, or when it has ended.
  enum Kind: Sendable { case started, ended }
  let kind: Kind
  let call: IncomingCall
}
