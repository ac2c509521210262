/// What comes of an event, as a provider has decided.
package struct FlowDecision: Sendable, Hashable {
  /// The provider's own state of the coordinator from now on.
  package var state: String
  /// What to do, in order.
  package var operations: [Operation]
  /// The screens that changed, by key.
  package var screens: [String: DescribedScreen]
  /// Whether clients may cancel the coordinator from now on; nil if that does not change.
  package var canBeCancelled: Bool?

  /// Creates a decision.
  package init(
    state: String, operations: [Operation] = [], screens: [String: DescribedScreen] = [:], canBeCancelled: Bool? = nil
  ) {
    self.state = state
    self.operations = operations
    self.screens = screens
    self.canBeCancelled = canBeCancelled
  }

  /// One thing to do, as a handler does it.
  package enum Operation: Sendable, Hashable {
    /// Presents a screen, with a router other than the coordinator's own if one is given.
    case present(key: String, as: RouterKind?, animated: Bool)
    /// Replaces the coordinator's topmost screen.
    case replace(with: String, animated: Bool)
    /// Dismisses a screen of the coordinator, and what is above it.
    case dismiss(key: String, animated: Bool)
    /// Dismisses what is above a screen of the coordinator.
    case dismissAbove(key: String, animated: Bool)
    case startChild(flow: String, input: [String: JSONValue], secrets: SecretNames, RouterKind)
    case cancelChild(String)
    /// Starts work, which takes kept secrets away if they are not needed any more.
    case startWork(ProvidedWork, secrets: SecretNames, taking: Bool)
    /// Cancels a piece of work, or all.
    case cancelWork(String?)
    /// A timer that goes off at a time by the wall clock or, if there is one, after a duration in microseconds. Then, the
    /// time is what a daemon takes that knows no durations.
    case startTimer(key: String, at: Timestamp, after: UInt64? = nil)
    case cancelTimer(key: String)
    case attach(ScreenMessage)
    case emit(JSONValue, secrets: SecretNames)
    case send(JSONValue, child: String, secrets: SecretNames)
    case keepSecrets(SecretNames)
    case forgetSecrets([String])
    case finish([String: JSONValue], secrets: SecretNames)
    case cancel
    /// Ends the coordinator as failed, without failing the call that led to it.
    case fail(Failure)
    /// Ends the coordinator with the outcome of a child that has ended.
    case endAsChild(String)
    /// Changes the language of the tree.
    case setLanguage(String)
  }

  /// Secrets by the name that they get: the name of one that came with the event, or, after ``keptPrefix``, of one that
  /// the coordinator keeps.
  package typealias SecretNames = [String: String]

  /// What precedes the name of a kept secret, to distinguish it from one that came with the event.
  package static let keptPrefix = "kept:"
}

extension FlowDecision.Operation {
  /// Ends a coordinator with an outcome.
  init(endingAs outcome: Outcome) {
    switch outcome {
    case .finished(let result): self = .finish(result, secrets: [:])
    case .cancelled: self = .cancel
    case .failed(let failure): self = .fail(failure)
    }
  }
}

/// Roughly how many bytes are stored of a coordinator for its provider.
package struct StoredSize: Sendable, Hashable {
  /// Those of the provider's own state.
  package let state: Int
  /// Those of the descriptions of screens.
  package let screens: Int

  /// Creates a size from its parts.
  package init(state: Int, screens: Int) { (self.state, self.screens) = (state, screens) }

  /// Measures a state and screens.
  init(state: String, screens: [String: DescribedScreen]) {
    self.init(state: state.utf8.count, screens: screens.values.reduce(0) { $0 + $1.size })
  }

  /// All of it.
  package var total: Int { state + screens }
}

extension FlowDecision {
  /// How much the decision stores.
  package var storedSize: StoredSize { StoredSize(state: state, screens: screens) }
}

/// A screen as whoever decides for a coordinator has described it, which the daemon keeps for as long as it is shown.
package struct DescribedScreen: Sendable, Hashable {
  /// What is shown.
  package let content: Screen
  /// Whether Back is offered.
  package let back: Bool
  /// Roughly how many bytes it takes up.
  let size: Int

  /// Creates a screen.
  package init(_ content: Screen, back: Bool = true) {
    (self.content, self.back) = (content, back)
    size = content.roughSize + (content.form?.schema.json.roughSize ?? 0)
  }
}

extension DescribedScreen: Codable {
  private enum CodingKeys: String, CodingKey {
    case content = "description"
    case back
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try values.decode(Screen.self, forKey: .content), back: try values.decode(Bool.self, forKey: .back))
  }
}
