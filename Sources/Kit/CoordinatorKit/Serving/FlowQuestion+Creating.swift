extension Child {
  /// Creates a child of which another process has told.
  package init(_ path: CoordinatorPath, flow: String, input: [String: JSONValue]) {
    self.init(path: path, flow: flow, input: input)
  }
}

extension FlowInstance {
  /// Creates the instance of a coordinator.
  package init(_ path: CoordinatorPath, of flow: String, startedAt: UInt64) {
    self.init(flow: flow, path: path, startedAt: startedAt)
  }
}

extension FlowQuestion {
  /// Creates a question.
  package init(_ event: Event, of instance: FlowInstance, turn: UInt64, state: String, in context: Context) {
    self.init(instance: instance, turn: turn, state: state, event: event, context: context)
  }
}

extension FlowQuestion.Context {
  /// Creates the context of a coordinator that has nothing but an input.
  package init(input: [String: JSONValue], now: UInt64) {
    self.init(
      input: input, screens: [], children: [], work: [], secrets: [], router: .navigation, caller: nil, language: nil, now: now)
  }
}
