import CoordinatorKit
import DBus
import ProviderFiles

@testable import CoordinatorDaemon
@testable import CoordinatorProvider

/// Serves flows in the test's process, with questions and answers encoded as on the bus.
struct EncodedProvider: FlowProvider {
  let server: FlowServer
  /// Whether each question is answered as if by a new process.
  var isForgetful = false

  private static let program = ServingProgram(name: "com.example.Test", version: 1)

  func server(of flow: String) -> ServingProgram? { Self.program }

  func isAway(_ flow: String) -> Bool { false }

  func decide(
    _ question: FlowQuestion, as known: ServingProgram?, after history: AskingHistory, within time: Duration
  ) async -> (answer: FlowAnswer, history: AskingHistory) {
    var history = history
    history.ask(Self.program)
    return (await answer(question), history)
  }

  private func answer(_ question: FlowQuestion) async -> FlowAnswer {
    do {
      let asked = try FlowQuestion(try question.arguments(deadline: .seconds(5)))
      let server = isForgetful ? FlowServer(server.catalogue) : server
      switch await server.decide(asked).reply {
      case .success(let values): return .decided(try AnswerDecoder().decision(values))
      case .failure(let error): return FlowAnswer(error) ?? .trouble(.failed("\(error)"))
      }
    } catch {
      return .trouble(.failed("\(error)"))
    }
  }

  func perform(
    _ work: ProvidedWork, of instance: FlowInstance, by _: String, in context: SharedWorkContext
  ) async throws -> String {
    try await server.perform(work, of: instance.flow, in: context)
  }
}

extension FlowCatalogue {
  /// The same flows, served by a provider in Swift.
  ///
  /// - Parameter isForgetful: whether each question is answered as if by a new process.
  /// - Returns: the catalogue, in which nothing is built in.
  /// - Throws: `JSONConversionError` or `DBusError` if a flow cannot be registered.
  func served(isForgetful: Bool = false) throws -> FlowCatalogue {
    let provided = ProvidedFlows(provider: EncodedProvider(server: FlowServer(self), isForgetful: isForgetful))
    for values in try registration {
      let flow = try RegisteredFlow(.vardict(values))
      provided.add(flow.description, schemas: flow.schemas)
    }
    var catalogue = FlowCatalogue()
    catalogue.provided = provided
    catalogue.translations = translations
    return catalogue
  }
}
