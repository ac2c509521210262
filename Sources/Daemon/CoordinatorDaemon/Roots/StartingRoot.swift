import CoordinatorKit

/// A root coordinator that is being started.
struct StartingRoot: Sendable {
  let request: StartRequest
  let sequence: UInt64
  var tree: FlowTree?
  var waiters: [StartWaiter] = []
}
