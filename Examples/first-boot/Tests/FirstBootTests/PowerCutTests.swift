import CoordinatorKit
import CoordinatorTestKit
import Testing

@testable import first_boot_daemon

@Suite("Power cuts", .timeLimit(.minutes(5)))
struct PowerCutTests {
  private let machine = SimulatedMachine()

  @Test("After a power cut at any screen, the user continues, and nothing is applied twice", arguments: 0..<12)
  func cut(after count: Int) async throws {
    var walk = try await Walk(machine)
    for _ in 0..<count where try await walk.flow.top.content.name != "done" { try await walk.answer() }
    try await walk.restart()
    _ = try await walk.end()
    #expect(machine.done.sorted() == FirstBootTests.everything.sorted())
  }

  @Test("After a power cut at every screen, too")
  func cutEverywhere() async throws {
    var walk = try await Walk(machine)
    var last = ""
    while last != "done" {
      last = try await walk.flow.top.content.name
      // No power cut on the screens after the passphrase and the password: each would lose the secret again.
      if !["network-details", "user", "review", "applying"].contains(last) { try await walk.restart() }
      last = try await walk.flow.top.content.name
      if last != "done" { try await walk.answer() }
    }
    #expect(machine.done == FirstBootTests.everything)
  }

  @Test(
    "After a power cut between what a step does and the note that it was done, it is not done again",
    arguments: 1...FirstBootTests.everything.count)
  func cutInsideOfStep(number: Int) async throws {
    var walk = try await Walk(machine, holdingWork: true)
    try await walk.reach("applying")
    for _ in 1..<number { await walk.flow.work.release() }
    while machine.done.count < number { await Task.yield() }
    try await walk.restart()
    walk.flow.work.open()
    _ = try await walk.end()
    #expect(machine.done.sorted() == FirstBootTests.everything.sorted())
  }

  @Test("The passphrase and the password are asked for again if they were lost, each with the reason")
  func lostSecrets() async throws {
    var walk = try await Walk(machine)
    try await walk.reach("review")
    try await walk.restart()
    let state = try await walk.flow.state { $0.window.top?.content.name == "network-details" }
    #expect(state.window.top?.messages.map(\.code) == ["not-joined"])
    try await walk.reach("review")
    #expect(machine.done.isEmpty)
  }
}
