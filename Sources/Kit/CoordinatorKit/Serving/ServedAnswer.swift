/// What comes of a question to a flow that this process serves.
package enum ServedAnswer: Sendable {
  /// Nothing is refused: what has changed, and the screens of which the daemon does not know.
  case decided(FlowDecision, screens: [ServedScreen])
  /// Everything else.
  case other(FlowAnswer)
}

/// A screen of a served flow, not yet encoded.
package struct ServedScreen: Sendable {
  /// Names the screen in its coordinator.
  package let key: String
  package let content: Screen
  /// Whether the coordinator allows Back from it.
  package let back: Bool
}

/// A flow that this process serves, independent of the type of its coordinator.
protocol ServingFlow: Sendable {
  /// Decides what comes of an event.
  func decide(_ question: FlowQuestion, in catalogue: FlowCatalogue) async -> ServedAnswer

  /// Performs a piece of work, and returns the text of its result.
  func perform(_ work: ProvidedWork, in catalogue: FlowCatalogue, _ context: SharedWorkContext) async throws -> String

  /// Forgets what is kept in memory of a coordinator that has ended.
  func forget(_ instance: String)
}
