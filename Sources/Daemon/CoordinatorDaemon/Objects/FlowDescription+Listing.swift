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
