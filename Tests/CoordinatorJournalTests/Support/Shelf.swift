import CoordinatorJournal
import CoordinatorKit
import CoordinatorTestKit
import Foundation

/// A journal in a directory of its own, which is removed in the end, and flows that it keeps.
final class Shelf: Sendable {
  let directory: String
  let catalogue: FlowCatalogue

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID().uuidString)").path
    var catalogue = FlowCatalogue()
    try catalogue.add { Counter() }
    self.catalogue = catalogue
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  func open(maxOutcomes: Int = 1_000, maxHistory: Int = 100_000) throws -> Journal {
    try Journal(JournalConfiguration(directory: directory, maxOutcomes: maxOutcomes, maxHistory: maxHistory))
  }

  /// Starts a flow that is kept.
  func start(_ name: String, _ sequence: UInt64, in journal: Journal) async throws -> (TestFlow, StoredRoot) {
    let root = StoredRoot(
      name: name, sequence: sequence, lastNumber: sequence, flow: "counter", digest: Digest(of: "counter", "{}"), hasToken: false)
    let store = journal.store(of: root, in: catalogue)
    return (try await TestFlow.start("counter", in: catalogue, root: name, store: store), root)
  }
}

/// Counts, and has a child that does; enough to fill every table.
actor Counter: Coordinator {
  static let flow = FlowDescription("counter", title: "Counter")
  enum Route: Codable { case main, other }
  struct State: FlowState { var count = 0 }
  struct Work: Codable { var seconds: Int }

  let context = Context()

  func start() { router.present(.main) }

  func screen(for route: Route) -> Screen {
    .message(
      "\(route)", title: "\(state.count)",
      actions: ["count", "push", "child", "work", "say", "finish"].map { Action($0, $0) })
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "count": state.count += 1
    case "push": router.present(.other)
    case "child": try startChild(Counter.self, input: NoInput(), router: .modal)
    case "work": try startWork(Work(seconds: 1_000))
    case "say": attach(.info("said", "said"))
    default: try finish(["count": state.count])
    }
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws {
    try await Task.sleep(for: .seconds(work.seconds))
  }

  func workEnded(_ work: Work, with result: WorkResult<Void>) {}
}
