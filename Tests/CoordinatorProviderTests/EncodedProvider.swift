import CoordinatorKit
import DBus

@testable import CoordinatorDaemon
@testable import CoordinatorProvider

/// Serves flows in the test's process, with questions and answers encoded as on the bus.
struct EncodedProvider: FlowProvider {
  let server: FlowServer

  private static let program = ServingProgram(name: "com.example.Test", version: 1)

  func server(of flow: String) -> ServingProgram? { Self.program }

  func isAway(_ flow: String) -> Bool { false }

  func decide(
    _ question: FlowQuestion, as known: ServingProgram?, within time: Duration
  ) async -> (answer: FlowAnswer, server: ServingProgram?) { (await answer(question), Self.program) }

  private func answer(_ question: FlowQuestion) async -> FlowAnswer {
    do {
      let asked = try FlowQuestion(try question.arguments(deadline: .seconds(5)))
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

  func screen(from description: JSONValue) throws -> Screen { try AnswerDecoder.screen(from: description) }
}

extension FlowCatalogue {
  /// The same flows, served by a provider in Swift.
  func served() throws -> FlowCatalogue {
    let provided = ProvidedFlows(provider: EncodedProvider(server: FlowServer(self)))
    for values in try registration {
      let flow = try RegisteredFlow(values)
      provided.add(flow.description, schemas: flow.schemas)
    }
    var catalogue = FlowCatalogue()
    catalogue.provided = provided
    catalogue.translations = translations
    return catalogue
  }
}
