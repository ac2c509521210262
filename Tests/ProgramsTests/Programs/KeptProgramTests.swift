import Forms
import Testing

@testable import KeeperClient

@Suite("L: What is kept of a program", .timeLimit(.minutes(2)))
struct KeptProgramTests {
  @Test("A client that awaits the end is connected from then on, and receives it after all questions")
  func awaitedEnd() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    let awaited = try KeptProgram(name: "demo", places: keeper.places).awaitingEnd()
    keeper.ask("r-1", ["name": "one"])
    keeper.work()
    keeper.end(["status": 3])
    let end = await awaited.end()
    #expect(end.cause == .status(3) && end.lines == ["the last line"])
  }

  @Test("A keeper that goes without a word has lost the program")
  func lostKeeper() async throws {
    let keeper = try ScriptedKeeper()
    let program = KeptProgram(name: "demo", places: keeper.places)
    let awaited = try program.awaitingEnd()
    // Later connections are served later.
    keeper.ask("r-1", ["name": "one"])
    _ = try await program.news(since: 0) { _ in }
    keeper.leave()
    #expect(await awaited.end().cause == .lost("its keeper has gone"))
  }

  @Test("An answer that a keeper does not understand is refused, and not repeated for ever")
  func misunderstood() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    keeper.ask("r-1", ["name": "one"])
    keeper.misunderstand("r-1")
    let program = KeptProgram(name: "demo", places: keeper.places)
    let outcome = try await program.give(KeeperAnswer(question: "r-1", event: "ok", payload: [:]), secrets: [:])
    #expect(outcome == .refused("a request must be a JSON object"))
  }

  @Test("A keeper that does not answer is not waited for when its program is to be ended")
  func deafKeeper() async throws {
    let keeper = try ScriptedKeeper()
    let program = KeptProgram(name: "demo", places: keeper.places)
    #expect(await program.end(within: .seconds(60)))
    keeper.fallSilent()
    #expect(await !program.end(within: .zero))
    keeper.leave()
    #expect(await !program.end(within: .seconds(60)))
  }

  @Test("L6: A dismissed program is ended, and its keeper is notified that the end is known")
  func dismissed() async throws {
    let keeper = try ScriptedKeeper()
    defer { keeper.leave() }
    keeper.ask("r-1", ["name": "one"])
    let dismissal = Task { await KeptProgram(name: "demo", places: keeper.places).dismiss() }
    var requests = keeper.requests.makeAsyncIterator()
    #expect(await requests.next() == ["end": true])
    keeper.end(["signal": 15])
    #expect(await requests.next() == ["end": true])
    keeper.leave()
    await dismissal.value
  }
}
