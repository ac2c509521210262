/// Decides for the coordinators of flows that the daemon has in another process: calls their handlers, and says what they
/// have done. Keeps nothing that an answer depends on. May be used from any thread.
package struct FlowServer: Sendable {
  /// The flows.
  package let catalogue: FlowCatalogue
  private let flows: [String: any ServingFlow]

  /// Creates a server.
  ///
  /// - Parameter catalogue: the flows to serve.
  package init(_ catalogue: FlowCatalogue) {
    self.catalogue = catalogue
    flows = catalogue.servedFlows
  }

  /// Returns what comes of an event.
  ///
  /// - Parameter question: the question.
  /// - Returns: the answer.
  package func decide(_ question: FlowQuestion) async -> FlowAnswer {
    guard let flow = flows[question.instance.flow] else {
      return .trouble(.failed("this program does not serve the flow \(question.instance.flow)"))
    }
    return await flow.decide(question, in: catalogue)
  }

  /// Performs a piece of work.
  ///
  /// - Parameters:
  ///   - work: the work.
  ///   - flow: the name of the flow.
  ///   - context: provides the secrets, and reports progress.
  /// - Returns: the text of the result.
  /// - Throws: `CancellationError` if the work was cancelled; ``ProviderTrouble`` if it is not known.
  package func perform(_ work: ProvidedWork, of flow: String, in context: SharedWorkContext) async throws -> String {
    guard let served = flows[flow] else { throw ProviderTrouble.failed("this program does not serve the flow \(flow)") }
    return try await served.perform(work, in: catalogue, context)
  }

  /// Computes the screens of a coordinator from a value that its work has reported.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - work: the work.
  ///   - instance: the name of the coordinator's instance.
  ///   - flow: the name of the flow.
  /// - Returns: the screens; nil if nothing was asked about the coordinator while the work ran.
  package func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]? {
    await flows[flow]?.screens(showing: value, from: work, of: instance, in: catalogue)
  }

  /// Returns whether the work of a flow shows live values.
  package func showsLiveValues(_ flow: String) -> Bool { catalogue.showsLiveValues(flow) }

  /// Forgets what is kept in memory of a coordinator that has ended.
  ///
  /// - Parameter instance: the name of the instance.
  package func forget(_ instance: String) { for flow in flows.values { flow.forget(instance) } }
}
