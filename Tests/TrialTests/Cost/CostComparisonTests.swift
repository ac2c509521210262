import CostTrial
import Foundation
import Testing

@Suite("The comparison of costs with recorded ones", .timeLimit(.minutes(5)))
struct CostComparisonTests {
  private static let cost = Cost(instructions: 100_000, allocations: 40, bytes: 2_000)
  private static let platform = ["swift": "6.3.1", "architecture": "x86_64"]

  private func section(_ costs: [String: Cost], _ platform: [String: String] = Self.platform) -> CostFile.Section {
    CostFile.Section(platform: platform, scenarios: costs)
  }

  private func compare(_ before: CostFile.Section, _ now: CostFile.Section) -> CostComparison {
    CostComparison(before, now, tolerance: 0.05)
  }

  @Test("A change within the tolerance passes without being mentioned")
  func changeWithinTheTolerancePasses() {
    let now = Cost(instructions: 104_900, allocations: 38.1, bytes: 2_000)
    let comparison = compare(section(["read": Self.cost]), section(["read": now]))
    #expect(comparison.verdict == .passed && comparison.grown.isEmpty && comparison.shrunk.isEmpty)
  }

  @Test(
    "Growth of any figure beyond the tolerance fails",
    arguments: [
      Cost(instructions: 105_100, allocations: 40, bytes: 2_000), Cost(instructions: 100_000, allocations: 43, bytes: 2_000),
      Cost(instructions: 50_000, allocations: 40, bytes: 2_101),
    ])
  func growthBeyondTheToleranceFails(now: Cost) {
    let comparison = compare(section(["read": Self.cost, "call": Self.cost]), section(["read": now, "call": Self.cost]))
    #expect(comparison.verdict == .failed)
    #expect(comparison.grown.map(\.scenario) == ["read"])
    #expect("\(comparison)".contains("grown"))
  }

  @Test("Shrinkage beyond the tolerance passes and asks for a new recording")
  func shrinkageBeyondTheToleranceIsToBeRecorded() {
    let now = Cost(instructions: 90_000, allocations: 40, bytes: 2_000)
    let comparison = compare(section(["read": Self.cost]), section(["read": now]))
    #expect(comparison.verdict == .passed && comparison.shrunk.map(\.figure) == ["instructions"])
    #expect("\(comparison)".contains("make costs-record"))
  }

  @Test("With another compiler growth is only a warning, and the difference is named")
  func growthOnAnotherPlatformIsAWarning() {
    let now = Cost(instructions: 200_000, allocations: 40, bytes: 2_000)
    let comparison = compare(
      section(["read": Self.cost], ["swift": "6.2.0", "architecture": "x86_64"]), section(["read": now]))
    #expect(comparison.verdict == .doubtful)
    #expect(comparison.differences == ["swift 6.2.0 → 6.3.1"])
  }

  @Test("A scenario that is not recorded, or is no longer measured, fails")
  func missingScenarioFails() {
    let (read, call) = (section(["read": Self.cost]), section(["call": Self.cost]))
    #expect(compare(read, call).verdict == .failed)
    #expect(compare(section([:]), call).verdict == .failed)
    #expect(compare(read, section([:])).verdict == .failed)
  }

  @Test("A cost file is read back unchanged, with its keys in order")
  func costFileIsReadBackUnchanged() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "costs-\(UUID().uuidString).json").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = CostFile(sections: ["release": section(["read": Self.cost, "call": Self.cost]), "debug": section([:])])
    try file.write(to: path)
    #expect(try CostFile(at: path) == file)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let keys = ["debug", "architecture", "swift", "release", "call", "read"]
    let positions = keys.compactMap { text.range(of: "\"\($0)\"")?.lowerBound }
    #expect(positions.count == keys.count && positions == positions.sorted())
  }
}
