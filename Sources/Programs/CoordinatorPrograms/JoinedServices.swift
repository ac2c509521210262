import CoordinatorKit
import CoordinatorProvider
import DBus

/// Services that one process provides under one bus name: some flows by dedicated services, the remaining ones by another.
package struct JoinedServices: FlowService {
  private let special: [String: any FlowService]
  private let others: any FlowService

  /// Joins services.
  ///
  /// - Parameters:
  ///   - special: services by the name of the flow that they serve.
  ///   - others: serves all other flows. If one of its flows has the name of a special one, it is omitted.
  package init(_ special: [String: any FlowService], others: any FlowService) {
    (self.special, self.others) = (special, others)
  }

  private func service(of flow: String) -> any FlowService { special[flow] ?? others }

  package var registration: [[String: Value]] {
    get throws {
      let own = try special.sorted { $0.key < $1.key }.flatMap { try $0.value.registration }
      return try own + others.registration.filter { flow in flow["name"]?.string.map { special[$0] == nil } ?? false }
    }
  }

  package var digest: String {
    (special.sorted { $0.key < $1.key }.map(\.value.digest) + [others.digest]).joined(separator: " ")
  }

  /// The changes of the other flows: the special flows do not change while the process runs.
  package var changes: AsyncStream<Void> { others.changes }
  package var servesWhatItCan: Bool { others.servesWhatItCan }
  package var keepsSecrets: Bool { others.keepsSecrets }

  package func decide(_ question: FlowQuestion) async -> FlowAnswer {
    await service(of: question.instance.flow).decide(question)
  }

  package func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String {
    try await service(of: flow).perform(work, of: flow, instance: instance, attempt: attempt, in: context)
  }

  package func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]? {
    await service(of: flow).screens(showing: value, from: work, of: instance, flow: flow)
  }

  package func showsLiveValues(_ flow: String) -> Bool { service(of: flow).showsLiveValues(flow) }

  package func isMovable(_ flow: String) -> Bool { service(of: flow).isMovable(flow) }

  package func forget(_ instance: String) { forget(instance, hasFailed: false) }

  package func forget(_ instance: String, hasFailed: Bool) {
    for service in special.values { service.forget(instance, hasFailed: hasFailed) }
    others.forget(instance, hasFailed: hasFailed)
  }
}
