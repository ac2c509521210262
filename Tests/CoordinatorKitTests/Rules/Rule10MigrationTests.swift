import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Rule 10: State from another version of a flow", .timeLimit(.minutes(5)))
struct Rule10MigrationTests {
  /// The original version of a flow, of which three newer versions follow.
  private actor Old: Coordinator {
    static let flow = FlowDescription("changing", title: "Changing")
    enum Route: String, Codable { case name }
    struct State: FlowState { var fullName = "Ada Lovelace" }
    let context = Context()
    func start() { router.present(.name) }
    func screen(for route: Route) -> Screen { .message("name", title: Text(verbatim: state.fullName)) }
  }

  private actor Migrating: Coordinator {
    static let flow = FlowDescription("changing", title: "Changing", version: 2)
    enum Route: String, Codable { case names }
    struct State: FlowState { var names = ["nobody"] }
    let context = Context()
    func start() { router.present(.names) }
    func screen(for route: Route) -> Screen { .message("names", title: Text(verbatim: state.names.joined(separator: "-"))) }

    static func migrate(_ stored: inout StoredFlow, from version: Int) throws {
      let name = stored.state["fullName"]?.string ?? ""
      stored.state = ["names": .array(name.split(separator: " ").map { .string(String($0)) })]
      stored.routes = stored.routes.map { _ in "names" }
    }
  }

  private actor Careless: Coordinator {
    static let flow = FlowDescription("changing", title: "Changing", version: 2)
    let context = Context()
    func start() {}
  }

  private actor Wasteful: Coordinator {
    static let flow = FlowDescription("changing", title: "Changing", version: 2)
    let context = Context()
    func start() {}
    static func migrate(_ stored: inout StoredFlow, from version: Int) throws { stored.routes = [] }
  }

  /// The same version with a different state: its author forgot to increment the version.
  private actor Forgetful: Coordinator {
    static let flow = FlowDescription("changing", title: "Changing")
    enum Route: String, Codable { case name }
    struct State: FlowState { var age = 3 }
    let context = Context()
    func start() { router.present(.name) }
    func screen(for route: Route) -> Screen { .message("name", title: Text(verbatim: "\(state.age)")) }
  }

  @Test("Rule 10: State from an older version is migrated by its flow")
  func olderStateIsMigratedByItsFlow() async throws {
    let flow = try await TestFlow.start { Old() }
    let restarted = try await flow.restarted(in: catalogue { Migrating() })
    #expect(try await restarted.top.content.title == "Ada-Lovelace")
    #expect(try await restarted.top.content.name == "names")
    #expect(try await restarted.top.id == ScreenID(1))
    // From now on, the new version is stored.
    #expect(try await restarted.restarted().top.content.title == "Ada-Lovelace")
  }

  @Test("Rule 10: A flow whose stored state cannot be used is not restored, and the error says why")
  func unusableStateIsRefusedWithReason() async throws {
    let flow = try await TestFlow.start { Old() }
    await expect(.noMigration("changing", stored: 1, known: 2), of: flow) { Careless() }
    await expect(.wrongNumber("changing"), of: flow) { Wasteful() }
    let reason = "the flow changing does not accept the stored state; has it changed without a new version?"
    await expect(.unreadable(flow.tree.root, reason), of: flow) { Forgetful() }
    await #expect(throws: RestoringError.unknownFlow("changing")) { try await flow.restarted(in: FlowCatalogue()) }
    let newer = try await TestFlow.start { Migrating() }
    await expect(.newerVersion("changing", stored: 2, known: 1), of: newer) { Old() }
  }

  private func expect<C: Coordinator>(_ error: RestoringError, of flow: TestFlow, _ make: @escaping @Sendable () -> C) async {
    await #expect(throws: error) { try await flow.restarted(in: catalogue(make)) }
  }

  private func catalogue<C: Coordinator>(_ make: @escaping @Sendable () -> C) throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add(make)
    return catalogue
  }
}
