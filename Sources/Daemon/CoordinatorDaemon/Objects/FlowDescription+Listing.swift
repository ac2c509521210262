import CoordinatorBus
import CoordinatorKit
import DBus

extension FlowDescription {
  /// The flow as an entry in the result of `ListFlows`.
  var vardict: [String: Value] {
    let schema = (try? Value(json: input.schema.json)) ?? .vardict([:])
    return [
      "name": .string(name), "title": .string(title), "summary": .string(summary), "input": schema,
      "rehearsable": .boolean(isRehearsable), "leavable": .boolean(canBeLeft), "singleton": .boolean(isSingleton),
    ]
  }
}

extension FlowCatalogue {
  /// Returns the result of `ListFlows`, without some flows. Internal flows are never listed.
  func list(hiding hidden: Set<String>) -> Value {
    .vardicts(descriptions.filter { !$0.isInternal && !hidden.contains($0.name) }.map(\.vardict))
  }
}
