import CoordinatorClient
import CrashTrial
import Testing

@testable import faults

@Suite("The states of a tree while files fail", .timeLimit(.minutes(5)))
struct TimelineTests {
  /// A started tree with a count of one, for which two calls were answered.
  private var tree: Timeline

  init() {
    var recorded = Timeline(token: "depot_1", flow: "depot")
    for revision in 1...4 as ClosedRange<UInt64> { recorded.append(Self.standing(revision)) }
    tree = recorded.rewound()
    for target in 1...2 {
      tree.isCalled(towards: target)
      tree.isAnswered(at: target)
    }
  }

  private static func standing(_ revision: UInt64) -> Standing {
    .live(TreeView(window: WindowSnapshot(revision: revision, screens: []), nodes: [:]))
  }

  private static func kind(_ tree: Timeline, _ found: Standing) -> FaultViolation.Kind? {
    var tree = tree
    do {
      try tree.isFound(found)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test("The answered state of a tree must be there, and nothing else")
  func answeredStateIsRequired() {
    #expect(Self.kind(tree, Self.standing(2)) == nil)
    #expect(Self.kind(tree, Self.standing(1)) == .lost)
    #expect(Self.kind(tree, .unknown) == .deleted)
    #expect(Self.kind(tree, .ended(.failed(code: "not-restored", message: ""))) == .deleted)
    #expect(Self.kind(tree, .ended(.cancelled)) == .other)
    #expect(Self.kind(tree, Self.standing(3)) == .doneTwice)
  }

  @Test("A call without an answer was done or was not, which is then final")
  func unansweredCallIsDoneOrNot() throws {
    var tree = tree
    tree.isCalled(towards: 3)
    #expect(Self.kind(tree, Self.standing(2)) == nil)
    #expect(Self.kind(tree, Self.standing(3)) == nil)
    #expect(Self.kind(tree, Self.standing(4)) == .doneTwice)
    try tree.isFound(Self.standing(2))
    #expect(!tree.isInDoubt)
    #expect(Self.kind(tree, Self.standing(3)) == .doneTwice)
  }

  @Test("A call that was not stored has no effect until it is repeated")
  func callThatWasNotStoredHasNoEffect() {
    var tree = tree
    tree.isCalled(towards: 3)
    tree.isNotStored()
    #expect(Self.kind(tree, Self.standing(2)) == nil)
    #expect(Self.kind(tree, Self.standing(3)) == .falseNotStored)
    tree.isCalled(towards: 3)
    tree.isAnswered(at: 3)
    #expect(Self.kind(tree, Self.standing(3)) == nil)
    #expect(Self.kind(tree, Self.standing(2)) == .lost)
  }

  @Test("Work may end later than its call")
  func workMayEndLater() throws {
    var tree = tree
    tree.isCalled(towards: 3, isWork: true)
    try tree.isFound(Self.standing(2))
    #expect(tree.isInDoubt)
    try tree.isFound(Self.standing(3))
    #expect(!tree.isInDoubt)
  }
}
