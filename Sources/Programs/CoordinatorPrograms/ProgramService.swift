import CoordinatorKit
import CoordinatorProvider
import DBus
import KeeperClient
import Platform

/// Serves the flow of live programs, and ends a program whose flow was dismissed. May be used from any thread.
package final class ProgramService: FlowService {
  /// The name of the flow.
  package static let flow = LiveProgram.flow.name

  private let server: FlowServer
  private let places: KeeperPlaces
  private let programs: ShownPrograms

  /// Creates a service.
  ///
  /// - Parameters:
  ///   - places: the possible locations of keepers' sockets.
  ///   - translations: the translations of the flow.
  ///   - complain: receives the full reasons of failures, of which users see one sentence.
  /// - Throws: ``CatalogueError``.
  package init(
    places: KeeperPlaces = .own, translations: Translations = .none, complain: @escaping @Sendable (String) -> Void
  ) throws {
    self.places = places
    let programs = ShownPrograms()
    self.programs = programs
    var catalogue = FlowCatalogue()
    catalogue.translations = translations
    try catalogue.add { LiveProgram(places: places, programs: programs, complain: complain) }
    server = FlowServer(catalogue)
  }

  package var registration: [[String: Value]] { get throws { try server.registration } }
  package var digest: String { server.digest }
  package var changes: AsyncStream<Void> { server.changes }
  package var servesWhatItCan: Bool { true }

  package func decide(_ question: FlowQuestion) async -> FlowAnswer { await server.decide(question) }

  package func perform(
    _ work: ProvidedWork, of flow: String, instance: String, attempt: UInt64, in context: SharedWorkContext
  ) async throws -> String {
    try await ShownPrograms.$instance.withValue(instance) { try await server.perform(work, of: flow, in: context) }
  }

  package func screens(
    showing value: any Sendable, from work: ProvidedWork, of instance: String, flow: String
  ) async -> [LiveScreen]? {
    await server.screens(showing: value, from: work, of: instance, flow: flow)
  }

  package func showsLiveValues(_ flow: String) -> Bool { server.showsLiveValues(flow) }

  /// Keepers own the programs, so any process can continue the work.
  package func isMovable(_ flow: String) -> Bool { true }

  package func forget(_ instance: String) { forget(instance, hasFailed: false) }

  package func forget(_ instance: String, hasFailed: Bool) {
    server.forget(instance)
    guard let program = programs.remove(instance) else { return }
    let kept = KeptProgram(name: program, places: places)
    // The failure of a flow must not end the program.
    Task { if hasFailed { await kept.release() } else { await kept.dismiss() } }
  }
}

/// Records which programs coordinators show. May be used from any thread.
final class ShownPrograms: Sendable {
  /// The name of the instance of the coordinator whose work is being performed.
  @TaskLocal static var instance: String?

  private let programs = Lock<[String: String]>([:])

  /// Creates an empty list.
  init() {}

  /// Records that the coordinator whose work is being performed shows a program.
  func add(_ program: String) {
    guard let instance = Self.instance else { return }
    programs.withLock { $0[instance] = program }
  }

  /// Removes a coordinator, and returns its program.
  func remove(_ instance: String) -> String? { programs.withLock { $0.removeValue(forKey: instance) } }
}
