import CoordinatorKit

/// Decides for the flows that a provider starts as children, but does not serve: a menu of everything that a child can
/// do to its parent.
struct StandIn {
  /// The result with which the child finishes.
  let result: [String: JSONValue]

  /// The event that it leaves to its parent.
  static let passed = "x-provider-trial-pass"

  /// Returns what comes of an event.
  func decide(_ question: FlowQuestion) -> FlowAnswer {
    switch question.event {
    case .start:
      let actions = ["finish", "fail", "cancel", "tell", Self.passed].map { id -> JSONValue in
        .object(["id": .string(id), "title": .string(id), "role": .string("primary")])
      }
      let screen: JSONValue = .object([
        "kind": .string("menu"), "name": .string("stand-in"), "title": .string("A flow of another provider"),
        "actions": .array(actions),
      ])
      return .decided(
        FlowDecision(
          state: "", operations: [.present(key: "stand-in", modally: false)], screens: ["stand-in": ProvidedScreen(screen)]))
    case .event("finish", _, _, _): return .decided(FlowDecision(state: "", operations: [.finish(result)]))
    case .event("fail", _, _, _): return .failed(Failure(code: "stand-in", message: "the trial lets this child fail"))
    case .event("cancel", _, _, _): return .decided(FlowDecision(state: "", operations: [.cancel]))
    case .event("tell", _, _, _): return .decided(FlowDecision(state: "", operations: [.emit([:])]))
    case .event, .fromChild, .script: return .notTaken
    default: return .decided(FlowDecision(state: question.state))
    }
  }

  /// Returns a description of the flow that accepts an input.
  static func description(of flow: String, input: [String: JSONValue]) -> FlowDescription {
    let schema = Self.schema(of: .object(input))
    let form = (try? Schema(json: schema)).flatMap { try? Form(schema: $0, order: $0.fields.map(\.name)) } ?? Form()
    return FlowDescription(flow, title: Text(verbatim: flow), input: form)
  }

  private static func schema(of value: JSONValue) -> JSONValue {
    func type(_ name: String) -> JSONValue { .object(["type": .string(name), "title": .string("Value")]) }
    switch value {
    case .boolean: return type("boolean")
    case .integer: return type("integer")
    case .number: return type("number")
    case .array(let elements):
      return .object(["type": .string("array"), "items": elements.first.map(schema) ?? type("string")])
    case .object(let members):
      return .object(["type": .string("object"), "properties": .object(members.mapValues(schema))])
    case .string, .null: return type("string")
    }
  }
}
