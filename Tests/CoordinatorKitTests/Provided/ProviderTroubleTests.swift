import Platform
import TestBus
import Testing

@testable import CoordinatorKit
@testable import CoordinatorTestKit

@Suite("P11, P12: Trouble of a provider ends no flow", .timeLimit(.minutes(1)))
struct ProviderTroubleTests {
  /// A flow whose work ends at once; what is answered to that comes from a list.
  private struct Ending: Sendable {
    let flow: ProvidedTree
    let answers: Lock<[FlowAnswer]>

    init(_ answers: [FlowAnswer]) async throws {
      let remaining = Lock(answers)
      self.answers = remaining
      flow = ProvidedTree { question in
        switch question.event {
        case .start: .first
        case .event(name: "work", _, _, _):
          .shows("first", .startWork(ProvidedWork(id: "w-1", argument: ""), secrets: [:], taking: true))
        case .workEnded: remaining.withLock { $0.isEmpty ? .shows("ended") : $0.removeFirst() }
        default: .shows("second")
        }
      }
      try await flow.start()
      try await flow.send("work")
      try await flow.provider.begun.until { $0.count == 1 }
      let instance = await flow.instance
      _ = try await ProvidedTree.answer { [flow] in flow.tree.end(work: "w-1", of: instance, .done("1"), reply: $0) }
    }

    /// Ends the next wait, and returns how long it was.
    func endWait(_ number: Int) async throws -> Duration {
      let wait = try await flow.waits.reaches(number + 1)[number]
      wait.end()
      return wait.delay
    }
  }

  @Test("P11: An event that no caller waits for is retried after 1 s, 2 s, 4 s …, and later ones are refused meanwhile")
  func waits() async throws {
    let gone = FlowAnswer.trouble(.gone("away"))
    let ending = try await Ending(Array(repeating: gone, count: 8))
    var delays: [Duration] = []
    for number in 0..<8 {
      _ = await ending.flow.renderer.state { $0.hold(of: ending.flow.tree.root) == "away" }
      if number == 0 {
        await #expect(throws: CallError.provider(.gone("away"))) { try await ending.flow.send("go") }
      }
      delays.append(try await ending.endWait(number))
    }
    #expect(delays == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
    let state = await ending.flow.renderer.state { $0.window.top?.content.name == "ended" }
    #expect(state.hold(of: ending.flow.tree.root) == nil)
    #expect(state.window.top?.messages.isEmpty == true)
    try await ending.flow.send("go")
  }

  @Test("P12: After three answers that cannot be used the coordinator is held, until it is tried again on demand")
  func held() async throws {
    let failed = FlowAnswer.trouble(.failed("nonsense"))
    let ending = try await Ending([failed, failed, .trouble(.gone("away")), failed, failed, failed])
    for number in 0..<3 { _ = try await ending.endWait(number) }
    let root = ending.flow.tree.root
    _ = try await ending.flow.provider.count.until { $0 == 6 }
    _ = await ending.flow.renderer.state { $0.hold(of: root) == "nonsense" }
    await #expect(throws: CallError.held(root, "nonsense")) { try await ending.flow.send("go") }
    #expect(ending.flow.waits.values.count == 3)
    // Another start of the same program does not help at once.
    ending.flow.tree.retryServed()
    await ending.flow.tree.finishTurns()
    #expect(ending.flow.provider.questions.count == 6)
    // One that was changed may be able to go on.
    ending.flow.provider.server?.digest = "changed"
    ending.flow.tree.retryServed()
    await ending.flow.tree.finishTurns()
    #expect(ending.flow.provider.questions.count == 7)
    _ = try await ProvidedTree.answer { ending.flow.tree.retryHeld(reply: $0) }
    #expect(await ending.flow.tree.state.hold(of: root) == "nonsense")
    #expect(ending.flow.provider.questions.count == 8)
    _ = try await ProvidedTree.answer { ending.flow.tree.retryHeld(reply: $0) }
    #expect(await ending.flow.tree.state.window.top?.content.name == "ended")
  }

  @Test("P12: A flow that is served again is tried at once if it only waited")
  func servedAgain() async throws {
    let ending = try await Ending([.trouble(.gone("away"))])
    _ = await ending.flow.renderer.state { $0.hold(of: ending.flow.tree.root) == "away" }
    ending.flow.tree.retryServed()
    _ = await ending.flow.renderer.state { $0.window.top?.content.name == "ended" }
  }

  @Test("P9: To an event that no caller waits for, a refusal is a faulty answer")
  func refusal() async throws {
    let ending = try await Ending([.refused(.denied("no"))])
    _ = await ending.flow.renderer.state { $0.hold(of: ending.flow.tree.root)?.contains("refused") == true }
    _ = try await ending.endWait(0)
    _ = await ending.flow.renderer.state { $0.window.top?.content.name == "ended" }
  }

  @Test("P23: A decision that no caller waits for, and one that exceeds a limit, do not fail the flow")
  func limits() async throws {
    let timers = (0..<300).map { FlowDecision.Operation.startTimer(key: "\($0)", at: Timestamp(microseconds: .max)) }
    let ending = try await Ending([.decided(FlowDecision(state: "", operations: timers))])
    _ = await ending.flow.renderer.state { $0.hold(of: ending.flow.tree.root) != nil }
    _ = try await ending.endWait(0)
    _ = await ending.flow.renderer.state { $0.window.top?.content.name == "ended" }
  }

  @Test("P10: One event waits a limited time for all its questions together")
  func patience() {
    var patience = ProviderPatience(.seconds(20))
    let begun = ContinuousClock.now
    #expect(patience.timeForAnother(at: begun) == .seconds(20))
    #expect(patience.timeForAnother(at: begun + .seconds(5)) == .seconds(15))
    #expect(patience.timeForAnother(at: begun + .seconds(20)) == nil)
    var questions = ProviderPatience(.seconds(20))
    for _ in 0..<64 { #expect(questions.timeForAnother(at: begun) != nil) }
    #expect(questions.timeForAnother(at: begun) == nil)
  }

  @Test("An event that waits for a provider does not keep those of other trees waiting")
  func line() async throws {
    let gate = Observed(false)
    let flow = ProvidedTree { question in
      if case .start = question.event {
        return .shows(
          "first", .present(key: "only", as: nil, animated: true), .startTimer(key: "t", at: Timestamp(microseconds: 0)))
      }
      _ = try? await gate.until { $0 }
      return .shows("second")
    }
    try await flow.start()
    let unawaited = flow.tree.environment.unawaited
    flow.tree.fireTimer()
    try await flow.provider.count.until { $0 == 2 }
    // The line has room for sixteen.
    let others = Record<Result<TreeAnswer, CallError>>()
    for _ in 0..<16 { unawaited.add { _ in others.append(.success(.revision(0))) } }
    try await others.reaches(16)
    gate.update { $0 = true }
    _ = await flow.renderer.state { $0.window.top?.content.name == "second" }
  }
}
