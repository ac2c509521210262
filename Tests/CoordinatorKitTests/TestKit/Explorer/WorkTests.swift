import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("FlowExplorer: work and forms", .timeLimit(.minutes(5)))
struct WorkTests {
  @Test("A walk tries what a user can do while work runs, and what follows when the work ends")
  func actionsDuringWorkAreTried() async throws {
    let walk = try await explorer { $0 == "open" }.walk()
    try walk.expect(screens: ["word", "right"])
    #expect(
      walk.paths["right"] == [
        "word", #"check {"pin":"•••","word":"open"}"#, "word (busy)", "work ends", "right",
      ])
    // Three words (the shortest, the longest, and the given one), each while it is being checked; and three idle
    // states: nothing checked, wrong, and right.
    #expect(walk.states == 3 + 3)
    #expect(walk.outcomes == [.cancelled, .finished([:])])
  }

  @Test("An answer that no screen asks for is reported, and so is one that does not fit its form")
  func unusedOrInvalidAnswerIsReported() async throws {
    var explorer = try explorer { $0 == "open" }
    explorer.answers = ["wort": [["word": "open"]]]
    #expect(
      try await explorer.walk().texts(screens: ["word"]) == [
        "the route right of checker is unreachable",
        "\"wort\" never comes up; `answers` takes the names of screens with forms",
      ])
    explorer.answers = ["word": [["word": "open"], ["word": "open", "pin": "1234"]]]
    #expect(
      try await explorer.walk().texts(screens: ["word", "right"]) == [
        "an answer given for word is not valid: pin is required"
      ])
  }

  @Test("A form that cannot be filled in with known values is reported")
  func unfillableFormIsReported() async throws {
    let form = Form(Field("code", .string(title: "Code", pattern: "^[0-9]{2}-[a-z]$")))
    let walk = try await Maze.explorer(["hall": .init(actions: [("enter", .finish)], form: form)]).walk()
    #expect(walk.problems(screens: ["hall"]).map(\.kind) == [.isNeverTried(screen: "hall", event: "enter")])
  }

  @Test("Work that does not end is found")
  func endlessWorkIsFound() async throws {
    var explorer = try explorer { _ in
      // Runs until it is cancelled.
      for await _ in AsyncStream<Never>(unfolding: {
        try? await Task.sleep(for: .seconds(3_600)); return nil
      }) {}
      return false
    }
    explorer.patience = .milliseconds(5)
    explorer.answers = [:]
    #expect(try await explorer.walk().problems(screens: ["word"]).map(\.kind).contains(.workDoesNotEnd(flow: "checker")))
  }

  @Test("A walk ends concurrent work in either order, and finds the order that fails its coordinator")
  func concurrentWorkEndsInEitherOrder() async throws {
    let walk = try await FlowExplorer { Couple() }.walk()
    #expect(
      walk.texts(screens: ["couple"]) == [
        "couple (busy) ▸ work 2 ends ▸ couple (busy) ▸ work ends: couple fails with \"late\": the first was the last"
      ])
    #expect(walk.outcomes.contains(.finished([:])))
  }

  private func explorer(_ check: @escaping @Sendable (String) async -> Bool) throws -> FlowExplorer {
    var catalogue = FlowCatalogue()
    try catalogue.add { Checker(check) }
    return FlowExplorer("checker", in: catalogue, answers: ["word": [["word": "open", "pin": "1234"]]])
  }
}

/// A flow that runs two pieces of work at once, and fails if the second one ends first.
private actor Couple: Coordinator {
  static let flow = FlowDescription("couple", title: "Couple")
  enum Route: Codable { case only }
  enum Work: Codable { case first, second }
  struct State: FlowState { var done: [Work] = [] }
  let context = Context()

  func start() throws {
    router.present(.only)
    try startWork(.first)
    try startWork(.second)
  }

  func screen(for route: Route) -> Screen { .progress("couple", title: "Couple", progress: Progress()) }

  nonisolated func perform(_ work: Work, in context: WorkContext) {}

  func workEnded(_ work: Work, with result: WorkResult<Void>) throws {
    state.done.append(work)
    guard state.done.count == 2 else { return }
    if state.done == [.second, .first] { throw Failure(code: "late", message: "the first was the last") }
    finish()
  }
}
