import CoordinatorBus
import CoordinatorKit
import DBus

extension FlowDescription {
  /// Returns the flow as an entry in the result of `ListFlows`.
  fileprivate func vardict(_ schemas: FlowSchemas?) -> [String: Value] {
    let schema = (try? Value(json: input.schema.json)) ?? .vardict([:])
    var entry: [String: Value] = [
      "name": .string(name), "title": .string(title), "summary": .string(summary), "input": schema,
      "rehearsable": .boolean(isRehearsable), "leavable": .boolean(canBeLeft), "singleton": .boolean(isSingleton),
    ]
    entry["result"] = schemas?.result.flatMap { try? Value(json: $0.json) }
    entry["output"] = schemas?.output.flatMap { try? Value(json: $0.json) }
    return entry
  }
}

extension FlowCatalogue {
  /// The entries in the result of `ListFlows`, with the names of their flows. Internal flows are never listed.
  var entries: [(name: String, entry: [String: Value])] {
    descriptions.filter { !$0.isInternal }.map { ($0.name, $0.vardict(schemas(of: $0.name))) }
  }
}
