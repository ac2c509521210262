import CoordinatorKit
import CoordinatorTestKit
import Testing

@testable import TennisClub

@Suite("The example tennis-club", .timeLimit(.minutes(5)))
struct TennisClubTests {
  private static func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Club() }
    try catalogue.add { ClubLogIn() }
    try catalogue.add { ClubTabs() }
    try catalogue.add { Courts() }
    try catalogue.add { NewBooking() }
    return catalogue
  }

  private func loggedIn(_ input: [String: JSONValue] = [:]) async throws -> TestFlow {
    let flow = try await TestFlow.start("club", input: input, in: Self.catalogue())
    try await flow.send("log-in", ["member": "Ada"])
    return flow
  }

  @Test("A booking opens over its court, and its parent learns how it was dismissed")
  func bookingIsModal() async throws {
    let flow = try await loggedIn()
    try await flow.send("courts")
    try await flow.select("north")
    try await flow.send("book")
    #expect(try await flow.names == ["tabs", "courts", "court", "hour"])
    #expect(try await flow.top.style == .modal)
    try await flow.send("evening")
    try await flow.send("cancel")
    #expect(try await flow.names == ["tabs", "courts", "court"])
    #expect(try await flow.top.content.messages.isEmpty)

    try await flow.send("book")
    try await flow.send("evening")
    try await flow.send("book")
    #expect(try await flow.top.content.messages.map(\.code) == ["booked"])
    try await flow.send("tabs")
    try await flow.send("booking")
    #expect(try await flow.top.content.body == "North court, in the evening")
  }

  @Test("A tab begins where its user left it by the tab bar, because its parent remembers the court")
  func tabRemembersItsCourt() async throws {
    let flow = try await loggedIn()
    try await flow.send("courts")
    try await flow.select("south")
    try await flow.send("tabs")
    #expect(try await flow.names == ["tabs"])
    try await flow.send("courts")
    #expect(try await flow.names == ["tabs", "courts", "court"])
    #expect(try await flow.top.content.title == "South court")
    try await flow.back()
    try await flow.back()
    try await flow.send("courts")
    #expect(try await flow.names == ["tabs", "courts"])
  }

  @Test("A deep link opens a court with the screens below it, after the log-in")
  func deepLink() async throws {
    let flow = try await loggedIn(["court": "centre"])
    #expect(try await flow.top.content.title == "Centre court")
    #expect(try await flow.names == ["tabs", "courts", "court"])
  }

  @Test("Logging out ends everything, and leads to the log-in")
  func loggingOut() async throws {
    let flow = try await loggedIn()
    try await flow.send("log-out")
    #expect(try await flow.names == ["log-in"])
    #expect(try await !flow.top.back)
  }

  @Test("Every path through the club is walked, each with a restart")
  func explored() async throws {
    let explorer = try FlowExplorer(
      "club", in: Self.catalogue(), answers: ["log-in": [["member": "Ada"]]], maxStates: 3_000, itemsPerList: 2)
    try await explorer.walk().expect(screens: ["log-in", "tabs", "booking", "courts", "court", "hour", "confirm"])
  }
}
