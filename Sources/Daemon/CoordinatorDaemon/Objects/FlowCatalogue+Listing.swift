import CoordinatorBus
import CoordinatorKit
import DBus

extension FlowCatalogue {
  /// The result of `ListFlows`.
  var list: Value { .vardicts(descriptions.map { $0.vardict(schemas(of: $0.name)) }) }
}

extension FlowDescription {
  /// The flow as an entry in the result of `ListFlows`.
  fileprivate func vardict(_ schemas: FlowSchemas?) -> [String: Value] {
    let schema = (try? Value(json: input.schema.json)) ?? .vardict([:])
    var entry: [String: Value] = [
      "name": .string(name), "title": .string(title), "summary": .string(summary), "input": schema,
      "rehearsable": .boolean(isRehearsable),
    ]
    entry["result"] = schemas.flatMap { try? Value(json: $0.result) }
    entry["output"] = schemas?.output.flatMap { try? Value(json: $0) }
    return entry
  }
}
