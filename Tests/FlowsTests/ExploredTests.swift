import CoordinatorKit
import CoordinatorTestKit
import Flows
import Testing

@Suite("every way through the flows")
struct ExploredTests {
  @Test("how-to-code")
  func howToCode() async throws {
    let walk = try await FlowExplorer("how-to-code", in: .builtIn()).walk()
    try walk.expect(screens: ["step-1", "step-2", "step-3", "step-4", "start-over"])
  }

  @Test("schedule-visit")
  func scheduleVisit() async throws {
    let walk = try await FlowExplorer("schedule-visit", in: .builtIn()).walk()
    try walk.expect(screens: visit)
  }

  @Test("pets")
  func pets() async throws {
    let walk = try await FlowExplorer("pets", in: .builtIn()).walk()
    try walk.expect(screens: visit.union(["home"]))
  }

  private let visit: Set = ["select-visit-type", "select-pain-level", "faking-it", "no-appointment-required"]
}
