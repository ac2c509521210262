/// A flow that this process serves, independent of the type of its coordinator.
protocol ServingFlow: Sendable {
  /// Decides what comes of an event.
  func decide(_ question: FlowQuestion, in catalogue: FlowCatalogue) async -> FlowAnswer

  /// Performs a piece of work, and returns the text of its result.
  func perform(_ work: ProvidedWork, in catalogue: FlowCatalogue, _ context: SharedWorkContext) async throws -> String

  /// Computes the screens of a coordinator from a value that its work has reported.
  func screens(showing value: any Sendable, from work: ProvidedWork, of instance: String, in catalogue: FlowCatalogue) async
    -> [LiveScreen]?

  /// Forgets what is kept in memory of a coordinator that has ended.
  func forget(_ instance: String)
}
