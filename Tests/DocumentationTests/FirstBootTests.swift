import CoordinatorKit
import CoordinatorTestKit
import Testing

@Suite("The wizard of Docs/writing-flows.md", .timeLimit(.minutes(5)))
struct FirstBootTests {
  private static func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { FirstBoot() }
    try catalogue.add { UserSetup() }
    try catalogue.add { NetworkSetup() }
    return catalogue
  }

  /// The wizard on its last screen.
  private func atTheEnd() async throws -> TestFlow {
    let flow = try await TestFlow.start("first-boot", in: Self.catalogue())
    try await flow.send("begin")
    try await flow.send("next", ["name": "ada"])
    try await flow.select("home")
    return flow
  }

  @Test("The wizard finishes with what its steps have told it")
  func wizardFinishesWithItsAnswers() async throws {
    let flow = try await atTheEnd()
    try await flow.send("apply")
    #expect(try await flow.outcome == .finished(["user": "ada", "network": "home"]))
  }

  @Test("Back leads through both child flows to the beginning, and what was typed is still there")
  func backLeadsThroughBothChildren() async throws {
    let flow = try await atTheEnd()
    var names: [String] = []
    while try await flow.top.content.name != "welcome" {
      names.append(try await flow.top.content.name)
      if try await flow.top.content.name == "user-name" { #expect(try await flow.top.content.values["name"] == "ada") }
      try await flow.back()
    }
    #expect(names == ["summary", "networks", "user-name"])
    #expect(try await flow.coordinators == ["flow_1"])
  }

  @Test("An answer that is changed on the way back replaces the first one, also after a restart")
  func changedAnswerReplacesTheFirst() async throws {
    let flow = try await atTheEnd()
    try await flow.back()
    try await flow.back()
    let back = try await flow.restarted()
    try await back.send("next", ["name": "grace"])
    try await back.select("office")
    try await back.send("apply")
    #expect(try await back.outcome == .finished(["user": "grace", "network": "office"]))
  }

  @Test("Every way through the wizard works")
  func everyWayThroughTheWizardWorks() async throws {
    let walk = try await FlowExplorer("first-boot", in: Self.catalogue(), answers: ["user-name": [["name": "ada"]]]).walk()
    try walk.expect(screens: ["welcome", "user-name", "networks", "summary"])
  }
}
