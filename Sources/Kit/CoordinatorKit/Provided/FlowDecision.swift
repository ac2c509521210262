/// What comes of an event, as a provider has decided.
package struct FlowDecision: Sendable, Hashable {
  /// The provider's own state of the coordinator from now on.
  package var state: String
  /// What to do, in order.
  package var operations: [Operation]
  /// The screens that changed, by key.
  package var screens: [String: ProvidedScreen]
  /// Whether clients may cancel the coordinator from now on; nil if that does not change.
  package var canBeCancelled: Bool?

  /// Creates a decision.
  package init(
    state: String, operations: [Operation] = [], screens: [String: ProvidedScreen] = [:], canBeCancelled: Bool? = nil
  ) {
    self.state = state
    self.operations = operations
    self.screens = screens
    self.canBeCancelled = canBeCancelled
  }

  /// One thing to do, as a handler does it.
  package enum Operation: Sendable, Hashable {
    case present(key: String, modally: Bool)
    /// Replaces the coordinator's topmost screen.
    case replace(with: String)
    /// Dismisses a screen of the coordinator, and what is above it.
    case dismiss(key: String)
    case startChild(flow: String, input: [String: JSONValue], RouterKind)
    case cancelChild(String)
    case startWork(ProvidedWork, secrets: [String])
    /// Cancels a piece of work, or all.
    case cancelWork(String?)
    case startTimer(key: String, at: Timestamp)
    case cancelTimer(key: String)
    case attach(ScreenMessage)
    case emit([String: JSONValue])
    case send([String: JSONValue], child: String)
    case keepSecrets([String])
    case forgetSecrets([String])
    case finish([String: JSONValue])
    case cancel
    /// Ends the coordinator with the outcome of a child that has ended.
    case endAsChild(String)
  }
}

/// A screen as a provider has described it.
package struct ProvidedScreen: Sendable, Hashable, Codable {
  /// The screen as an object of the contract.
  package var description: JSONValue
  /// Whether Back is offered.
  package var back: Bool

  /// Creates a screen.
  package init(_ description: JSONValue, back: Bool = true) {
    self.description = description
    self.back = back
  }
}
