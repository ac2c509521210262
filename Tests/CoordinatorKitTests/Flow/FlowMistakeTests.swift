import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("Mistakes in the declaration of a coordinator that the compiler accepts", .timeLimit(.minutes(5)))
struct FlowMistakeTests {
  private func mistakes<C: Coordinator>(_ make: @escaping @Sendable () -> C) throws -> [FlowMistake] {
    var catalogue = FlowCatalogue()
    do throws(FlowCatalogueError) { try catalogue.add(make) } catch {
      guard case .mistakes(_, let mistakes) = error else { throw error }
      return mistakes
    }
    return []
  }

  @Test("a coordinator with constants and computed properties has none")
  func clean() throws {
    #expect(try mistakes { Clean() } == [])
  }

  @Test("a stored property that can change is one, also if it is lazy, weak or nonisolated")
  func variables() throws {
    #expect(
      try mistakes { Forgetful() } == ["counter", "later", "window", "unsafe"].map(FlowMistake.storedVariable))
  }

  @Test("a handler with another label, or an async one, is one")
  func labels() throws {
    #expect(
      Set(try mistakes { Mislabelled() }) == [
        .neverCalled("childEnded(_:result:)", handlers: ["childEnded(_:outcome:)"]),
        .neverCalled("receive(_:in:)", handlers: ["receive(_:on:)", "receive(_:from:)", "receive(_:)"]),
        .neverCalled("async wentBack(from:)", handlers: ["wentBack(from:)"]),
        .neverCalled("migrate(stored:from:)", handlers: ["migrate(_:from:)"]),
      ])
  }

  @Test("a handler with a parameter of another type, or with another result, is one")
  func types() throws {
    #expect(
      Set(try mistakes { Mistyped() }.map(\.description)) == [
        "allowsBack(from: \(Self.module).Mistyped.Route) is never called: the handler is "
          + "allowsBack(from: \(Self.module).Mistyped.Route) -> Bool (a helper needs another name)",
        "childEmitted(_: Int) is never called: the handler is childEmitted(_: ChildOutput) (a helper needs another name)",
        "childEnded(_: Child, outcome: String) is never called: the handler is childEnded(_: Child, outcome: Outcome) "
          + "(a helper needs another name)",
        "migrate(_: StoredFlow, from: UInt32) is never called: the handler is migrate(_: StoredFlow, from: Int) "
          + "(a helper needs another name)",
        "receive(_: Event, on: \(Self.module).Clean.Route) is never called: the handler is "
          + "receive(_: Event, on: \(Self.module).Mistyped.Route) or receive(_: Event, from: Child) or receive(_: Event) "
          + "(a helper needs another name)",
        "secretsLost(_: Array<String>) is never called: the handler is secretsLost(_: Set<String>) (a helper needs another name)",
        "wentBack(from: String) is never called: the handler is wentBack(from: \(Self.module).Mistyped.Route) "
          + "(a helper needs another name)",
        "workInterrupted(_: String) is never called: the handler is workInterrupted(_: \(Self.module).Mistyped.Work) "
          + "(a helper needs another name)",
      ])
  }

  private static let module = "CoordinatorKitTests"

  @Test("a handler whose types have other names, or whose parameters are consumed, is a handler")
  func otherNames() throws {
    #expect(try mistakes { Renamed() } == [])
  }

  @Test("a helper that shares its name with a handler is not a handler, nor is a private method")
  func helpers() throws {
    #expect(try mistakes { Helped() } == [])
  }

  @Test("the error names the flow, each mistake, and what to do")
  func words() throws {
    var catalogue = FlowCatalogue()
    let error = #expect(throws: FlowCatalogueError.self) { try catalogue.add { Misspelt() } }
    #expect(
      error?.description
        == "the flow misspelt cannot be served: the stored property attempts can change, but is neither rolled back nor "
        + "restored: move it to State, or use let; secretsLost(names:) is never called: the handler is secretsLost(_:) (a helper needs "
        + "another name)")
  }

  @Test("a test flow refuses a coordinator that has some, as a daemon does")
  func testFlow() async {
    await #expect(
      throws: FlowCatalogueError.mistakes("forgetful", ["counter", "later", "window", "unsafe"].map(FlowMistake.storedVariable))
    ) {
      _ = try await TestFlow.start { Forgetful() }
    }
  }
}

private final class Clicks: Sendable {}

actor Clean: Coordinator {
  static let flow = FlowDescription("clean", title: "Clean")
  enum Route: Codable { case only }
  let context = Context()
  private let counter = Clicks()
  var isNew: Bool { true }
  func start() { router.present(.only) }
  func screen(for route: Route) -> Screen { .message("only", title: "Clean") }
  func receive(_ event: Event, on route: Route) throws { finish() }
  func wentBack(from route: Route) {}
  func childEnded(_ child: Child, outcome: Outcome) {}
  func childEmitted(_ output: ChildOutput) {}
  func secretsLost(_ names: Set<String>) {}
  func receive(_ event: Event) throws {}
  static func migrate(_ stored: inout StoredFlow, from version: Int) {}
}

actor Forgetful: Coordinator {
  static let flow = FlowDescription("forgetful", title: "Forgetful")
  enum Route: Codable { case only }
  let context = Context()
  private var counter = 0
  private lazy var later = counter
  private weak var window: Clicks?
  private nonisolated(unsafe) var unsafe = 0
  func start() { router.present(.only) }
  func screen(for route: Route) -> Screen { .message("only", title: "Forgetful") }
}

actor Mislabelled: Coordinator {
  static let flow = FlowDescription("mislabelled", title: "Mislabelled")
  enum Route: Codable { case only }
  let context = Context()
  func start() { router.present(.only) }
  func screen(for route: Route) -> Screen { .message("only", title: "Mislabelled") }
  func childEnded(_ child: Child, result: Outcome) {}
  func receive(_ event: Event, on route: Route) throws { finish() }
  func receive(_ event: Event, in child: Child) throws {}
  func wentBack(from route: Route) async {}
  static func migrate(stored: inout StoredFlow, from version: Int) {}
}

actor Mistyped: Coordinator {
  static let flow = FlowDescription("mistyped", title: "Mistyped")
  enum Route: Codable { case only }
  enum Work: Codable { case only }
  let context = Context()
  func start() { router.present(.only) }
  func screen(for route: Route) -> Screen { .message("only", title: "Mistyped") }
  func receive(_ event: Event, on route: Clean.Route) throws { finish() }
  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Int { 0 }
  func workEnded(_ work: Work, with result: WorkResult<Int>) {}
  func allowsBack(from route: Route) {}
  func childEmitted(_ output: Int) {}
  func childEnded(_ child: Child, outcome: String) {}
  func secretsLost(_ names: [String]) {}
  func wentBack(from route: String) {}
  func workInterrupted(_ work: String) {}
  static func migrate(_ stored: inout StoredFlow, from version: UInt32) {}
}

/// Routes and work of several flows.
private enum Shared {
  enum Step<Name: Codable & Hashable & Sendable>: Codable, Hashable, Sendable { case first(Name) }
}

private actor Renamed: Coordinator {
  static let flow = FlowDescription("renamed", title: "Renamed")
  typealias Route = Shared.Step<String>
  typealias Work = Shared.Step<Int>
  let context = Context()
  func start() { router.present(.first("")) }
  func screen(for route: Shared.Step<String>) -> Screen { .message("only", title: "Renamed") }
  func receive(_ event: consuming Event, on route: Shared.Step<String>) throws { finish() }
  func receive(_ action: __owned CoordinatorKit.Event, from child: CoordinatorKit.Child) throws {}
  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> Int { 0 }
  func workEnded(_ work: Work, with result: WorkResult<Int>) {}
  func workInterrupted(_ work: Shared.Step<Int>) {}
  func wentBack(from route: Route) throws {}
  func allowsBack(from route: Route) -> Swift.Bool { true }
  func childEnded(_ child: Child, outcome: Outcome) throws(Refusal) {}
}

actor Helped: Coordinator {
  static let flow = FlowDescription("helped", title: "Helped")
  enum Route: Codable { case only }
  let context = Context()
  func start() { router.present(.only) }
  func screen(for route: Route) -> Screen { .message("only", title: "Helped") }
  func receive(_ event: Event, on route: Route) throws { receive(event.name, of: 3) { _ in } }
  func receive(_ name: String, of count: Int, then body: (Int) -> Void) { body(count) }
  func childEnded(_ child: Child, outcome: Outcome) { childEnded(child.flow, of: [:]) }
  func childEnded(_ flow: String, of names: [String: (Int, Int)]) {}
  private func wentBack(to route: Route) {}
  func migrate(_ database: String) {}
  nonisolated func secretsLost(in file: String) async {}
}

actor Misspelt: Coordinator {
  static let flow = FlowDescription("misspelt", title: "Misspelt")
  enum Route: Codable { case only }
  let context = Context()
  private var attempts = 0
  func start() { router.present(.only) }
  func screen(for route: Route) -> Screen { .message("only", title: "Misspelt") }
  func secretsLost(names: Set<String>) {}
}
