import Foundation
import TestBus
import Testing

@Suite("coordinatorctl with the newer parts of screens", .timeLimit(.minutes(5)))
struct ScreenPartsByHandTests {
  private let daemon: RunningDaemon

  init() async throws {
    daemon = try await RunningDaemon.start(executable: "renderer-trial", ["serve"])
  }

  private func control(_ arguments: String...) async throws -> ProgramReport {
    try await Program.run([Built.executable("coordinatorctl")] + arguments, environment: daemon.environment)
  }

  private func start(_ step: String) async throws {
    #expect(try await control("start", "renderer-trial", "from=\(step)").status == .exited(0))
  }

  @Test("'coordinatorctl show' says how to choose several items, and which are chosen at first; 'send' chooses them")
  func sendChoosesSeveralItems() async throws {
    try await start("several")
    let shown = try await control("show").lines
    #expect(shown.contains("'coordinatorctl send select ids=ITEM ids=ITEM' chooses 1 to 2 items."), "\(shown)")
    #expect(shown.contains("Chosen at first: coffee"))
    let none = try await control("send", "select", "ids:=[]")
    #expect(none.status == .exited(9), "\(none)")
    #expect(try await control("send", "select", "ids=tea", "ids=water").output.hasPrefix("preselected – "))
  }

  @Test("'coordinatorctl send' names the reason why an item or an action cannot be chosen")
  func sendNamesTheReason() async throws {
    try await start("disabled-item")
    let item = try await control("send", "select", "id=water")
    #expect(item.status == .exited(9))
    #expect(item.errors.contains("cannot be chosen: It is frozen."), "\(item)")
    #expect(try await control("send", "frozen").output.hasPrefix("disabled-action – "))
    let action = try await control("send", "pay")
    #expect(action.status == .exited(8))
    #expect(action.errors == "coordinatorctl: 'pay' cannot be chosen now: The basket is empty.\n")
    _ = try await control("send", "empty")
    #expect(try await control("send", "erase").output.hasPrefix("to-review – "), "scripts are taken at their word")
  }

  @Test("'coordinatorctl send change' shows the screen of an answer again, and says which can be changed")
  func sendChangesAnAnswerUnderReview() async throws {
    try await start("review")
    _ = try await control("send", "send", "drink=tea")
    let shown = try await control("show").lines
    #expect(shown.contains("'coordinatorctl send change id=to-review' changes Drink: tea"), "\(shown)")
    let wrong = try await control("send", "change", "id=99")
    #expect(wrong.status == .exited(9))
    #expect(wrong.errors.contains("answers that can be changed:\n    change id=to-review   # Drink: tea"), "\(wrong)")
    #expect(try await control("send", "change", "id=to-review").output.hasPrefix("to-review – "))
    _ = try await control("send", "send", "drink=water")
    #expect(try await control("send", "done").output.hasPrefix("restart – "))
  }

  @Test("'coordinatorctl answer' plays lists with several items, and continues after a review")
  func answerPlaysTheParts() async throws {
    let path = "\(daemon.bus.directory)/answers.yaml"
    try """
    flow: renderer-trial
    input: { from: several }
    answers:
      renderer-trial:
        several: { select: [tea, water] }
        disabled-item: frozen
        disabled-action: empty
        confirmed: keep
        to-review: [{ drink: tea }, { drink: water }]
        review: [{ change: to-review }, done]
        restart: back
        end: end
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let report = try await control("answer", path, "--missing", "default", "--json")
    #expect(report.status == .exited(0), "\(report)")
    #expect(report.output.contains(#""faults":[]"#), "\(report)")
    #expect(report.errors.isEmpty)
  }
}
