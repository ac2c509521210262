import CoordinatorKit
import Testing

@testable import CoordinatorJournal
@testable import CoordinatorTestKit

@Suite("Rule 10: Migrated trees", .timeLimit(.minutes(5)))
struct MigratedTreeTests {
  let shelf: Shelf

  init() throws { shelf = try Shelf() }

  /// The older of two versions of a flow with two stacked screens, whose routes have different names in each version.
  private actor Old: Coordinator {
    static let flow = FlowDescription("pages", title: "Pages")
    enum Route: String, RouteValue { case first, second }
    struct State: FlowState { var count = 0 }
    let context = Context()

    func start() {
      router.present(.first)
      router.present(.second)
    }

    func screen(for route: Route) -> Screen {
      .message("\(route)", title: Text(verbatim: "\(state.count)"), actions: [Action("count", "Count")])
    }
    func receive(_ event: Event, on route: Route) throws { state.count += 1 }
  }

  private actor New: Coordinator {
    static let flow = FlowDescription("pages", title: "Pages", version: 2)
    enum Route: String, RouteValue { case one, two }
    struct State: FlowState { var count = 0 }
    let context = Context()

    func start() {}

    func screen(for route: Route) -> Screen {
      .form(
        "\(route)", title: Text(verbatim: "\(state.count)"), form: Form(Field("note", .string(title: "Note"), isRequired: false)),
        actions: [Action("count", "Count", role: .primary)])
    }

    func receive(_ event: Event, on route: Route) throws { state.count += 1 }

    static func migrate(_ stored: inout StoredFlow, from version: Int) throws {
      stored.routes = stored.routes.map { $0 == .string("first") ? .string("one") : .string("two") }
    }
  }

  private func catalogue(_ isNew: Bool) throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    if isNew { try catalogue.add { New() } } else { try catalogue.add { Old() } }
    return catalogue
  }

  /// Restores the tree with the newer version from a reopened journal.
  private func restored(_ root: StoredRoot) async throws -> (journal: Journal, flow: TestFlow) {
    let journal = try shelf.open()
    let stored = try #require(try await journal.tree(of: root))
    let renderer = RecordingRenderer()
    let environment = FlowTree.Environment(
      catalogue: try catalogue(true), observer: renderer, store: journal.store(ofRestored: root, in: try catalogue(true)),
      now: { 0 })
    let (tree, state) = try await FlowTree.restore(stored, environment: environment)
    await renderer.show(state)
    return (journal, TestFlow(tree: tree, renderer: renderer))
  }

  /// The first change of a tree after its migration: an event on the top screen, or a draft on the screen below.
  enum Touch: CaseIterable {
    case event, draft
  }

  @Test(
    "Rule 10: The first commit of a migrated tree stores all of it, so that the next restart finds one version",
    arguments: Touch.allCases)
  func migratedTreeIsStoredWholeAtFirstCommit(_ touch: Touch) async throws {
    let old = try catalogue(false)
    let root = StoredRoot(
      name: "pages_1", sequence: 1, lastNumber: 1, flow: "pages", digest: Digest(of: "pages"), hasToken: false)
    let first = try shelf.open()
    _ = try await TestFlow.start("pages", in: old, root: "pages_1", store: first.store(of: root, in: old))
    first.close()

    var (journal, flow) = try await restored(root)
    switch touch {
    case .event: try await flow.send("count")
    case .draft: try await flow.call(.saveDraft(ScreenID(1), ["note": "typed"]))
    }
    let expected = await flow.tree.state.window.screens.map(\.content)
    journal.close()

    (journal, flow) = try await restored(root)
    let found = await flow.tree.state.window.screens
    #expect(found.map(\.content) == expected)
    #expect(found.map(\.content.name) == ["one", "two"])
    #expect(touch == .event || found.first?.draft == ["note": "typed"])
    journal.close()
  }
}
