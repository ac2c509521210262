import CoordinatorTestKit
import Testing

@testable import CoordinatorKit

@Suite("Outcomes of a tree's children", .timeLimit(.minutes(5)))
struct OutcomeLedgerTests {
  private let root = CoordinatorPath(root: "home")

  @Test("The newest thousand outcomes are kept in the order of their ends")
  func newestThousandOutcomesAreKept() {
    var ledger = OutcomeLedger()
    for number in 1...2_500 {
      ledger.record(.cancelled, of: root.child("flow_\(number)"))
      ledger.forgetOldest()
    }
    #expect(ledger.count == 1_000)
    #expect(ledger.inOrder.map(\.path) == (1_501...2_500).map { root.child("flow_\($0)") })
    #expect(ledger[root.child("flow_1500")] == nil)
    #expect(ledger[root.child("flow_1501")] == .cancelled)
    #expect(OutcomeLedger(ledger.inOrder) == ledger)
  }

  @Test("All outcomes of a transition are kept until it is sealed, and a path that is recorded twice counts once")
  func outcomesOfOpenTransitionAreKept() {
    var ledger = OutcomeLedger()
    for number in 1...1_500 { ledger.record(.finished([:]), of: root.child("flow_\(number)")) }
    #expect(ledger[root.child("flow_1")] == .finished([:]))
    ledger.record(.cancelled, of: root.child("flow_1500"))
    ledger.forgetOldest()
    #expect(ledger.count == 1_000)
    #expect(ledger[root.child("flow_500")] == nil)
    #expect(ledger[root.child("flow_501")] != nil)
  }

  @Test("Rule 10: A tree with more than a thousand ended children keeps the newest outcomes across a restart")
  func treeKeepsNewestOutcomesAcrossRestart() async throws {
    let flow = try await TestFlow.probe()
    for _ in 1...1_005 {
      try await flow.tell(.child)
      try await flow.tell(.endChild)
    }
    let before = try await flow.state.outcomes
    #expect(before.count == 1_000)
    #expect(before.inOrder.first?.path == flow.path("probe_6"))
    #expect(before.inOrder.last?.path == flow.path("probe_1005"))
    let restarted = try await flow.restarted()
    #expect(try await restarted.state.outcomes == before)
    try await restarted.tell(.child)
    try await restarted.tell(.endChild)
    let after = try await restarted.state.outcomes
    #expect(after[flow.path("probe_6")] == nil)
    #expect(after[flow.path("probe_1006")] == .cancelled)
  }
}
