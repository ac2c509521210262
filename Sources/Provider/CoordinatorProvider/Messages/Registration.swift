import CoordinatorBus
import CoordinatorKit
import DBus

extension FlowCatalogue {
  /// The flows as `RegisterFlows` takes them.
  ///
  /// - Throws: `JSONConversionError` if the schema of an input, a result or an output cannot be sent.
  var registration: [[String: Value]] {
    get throws {
      try descriptions.map { flow in
        var values: [String: Value] = [
          "name": .string(flow.name), "title": .string(flow.title), "version": .uint32(UInt32(clamping: flow.version)),
          "router": .string(flow.router.rawValue),
        ]
        if !flow.summary.isEmpty { values["summary"] = .string(flow.summary) }
        if !flow.input.fields.isEmpty { values["input"] = try Value(json: flow.input.schema.json) }
        if flow.isRehearsable { values["rehearsable"] = .boolean(true) }
        if showsLiveValues(flow.name) { values["looking"] = .boolean(true) }
        if flow.isInternal { values["internal"] = .boolean(true) }
        if flow.isSingleton { values["singleton"] = .boolean(true) }
        if flow.isPart { values["part"] = .boolean(true) }
        if !flow.canBeLeft { values["leavable"] = .boolean(false) }
        let schemas = schemas(of: flow.name)
        values["result"] = try schemas?.result.map { try Value(json: $0.json) }
        values["output"] = try schemas?.output.map { try Value(json: $0.json) }
        return values
      }
    }
  }
}
