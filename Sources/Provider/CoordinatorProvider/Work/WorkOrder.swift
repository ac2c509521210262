import CoordinatorKit
import DBus

/// Names a piece of work among all that this process performs.
struct WorkName: Sendable, Hashable, CustomStringConvertible {
  let instance: String
  let work: String

  /// For the log.
  var description: String { "the work \(work) of \(instance)" }
}

/// A piece of work to perform.
struct WorkOrder: Sendable {
  let flow: String
  let name: WorkName
  let path: CoordinatorPath
  let work: ProvidedWork
  /// How often the work was begun, with this time.
  let attempt: UInt64
  let secrets: [String: Secret]

  /// Reads an order from the arguments of `Perform`; nil if they are not one.
  init?(_ arguments: [Value]) {
    guard arguments.count == 6, let flow = arguments[0].string, let instance = arguments[1].string,
      let id = arguments[2].string, let argument = arguments[4].string, let secrets = arguments[5].vardict,
      let known = FlowInstance(instance, of: flow)
    else { return nil }
    self.flow = flow
    name = WorkName(instance: instance, work: id)
    path = known.path
    attempt = arguments[3].uint64 ?? 1
    work = ProvidedWork(id: id, argument: argument)
    self.secrets = secrets.compactMapValues { $0.string.map { Secret($0) } }
  }
}
