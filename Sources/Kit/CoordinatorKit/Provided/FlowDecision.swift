/// A provider's decision on an event.
package struct FlowDecision: Sendable, Hashable {
  /// The provider's own state of the coordinator after the event.
  package var state: String
  /// The operations to carry out, in order.
  package var operations: [Operation]
  /// The screens that changed, by key.
  package var screens: [String: DescribedScreen]
  /// Whether clients may cancel the coordinator; nil if that does not change.
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

  /// One operation, which is carried out like that of a handler.
  package enum Operation: Sendable, Hashable {
    /// Presents a screen, with a router other than the coordinator's own if one is given.
    case present(key: String, as: RouterKind?, animated: Bool)
    /// Replaces the coordinator's topmost screen.
    case replace(with: String, animated: Bool)
    /// Dismisses a screen of the coordinator, and everything above it.
    case dismiss(key: String, animated: Bool)
    /// Dismisses everything above a screen of the coordinator.
    case dismissAbove(key: String, animated: Bool)
    case startChild(flow: String, input: [String: JSONValue], secrets: SecretNames, RouterKind)
    case cancelChild(String)
    /// Starts work; `taking` removes kept secrets that are no longer needed.
    case startWork(ProvidedWork, secrets: SecretNames, taking: Bool)
    /// Cancels a piece of work, or all work.
    case cancelWork(String?)
    /// Starts a timer that fires at a time by the wall clock or, if `after` is not nil, after a duration in microseconds. In
    /// that case, a daemon without support for durations uses the time.
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

  /// The sources of secrets, by their new names: the name of a secret that came with the event, or, after ``keptPrefix``, the
  /// name of one that the coordinator keeps.
  package typealias SecretNames = [String: String]

  /// The prefix of the name of a kept secret, which distinguishes it from a secret that came with the event.
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

/// The approximate number of bytes that are stored of a coordinator for its provider.
package struct StoredSize: Sendable, Hashable {
  /// The size of the provider's own state.
  package let state: Int
  /// The size of the descriptions of screens.
  package let screens: Int

  /// Creates a size from its parts.
  package init(state: Int, screens: Int) { (self.state, self.screens) = (state, screens) }

  /// Measures a state and screens.
  init(state: String, screens: [String: DescribedScreen]) {
    self.init(state: state.utf8.count, screens: screens.values.reduce(0) { $0 + $1.size })
  }

  /// The sum of both sizes.
  package var total: Int { state + screens }
}

extension FlowDecision {
  /// The size of the data that the decision stores.
  package var storedSize: StoredSize { StoredSize(state: state, screens: screens) }
}

/// A screen as described by the process that decides for its coordinator. The daemon keeps it while it is shown.
package struct DescribedScreen: Sendable, Hashable {
  /// The content of the screen.
  package let content: Screen
  /// Whether Back is offered.
  package let back: Bool
  /// The approximate size in bytes.
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
