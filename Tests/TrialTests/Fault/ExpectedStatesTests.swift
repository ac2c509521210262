import CoordinatorJournal
import CoordinatorKit
import Testing

@testable import faults

@Suite("The states that a power cut may leave", .timeLimit(.minutes(5)))
struct ExpectedStatesTests {
  private let expected: ExpectedStates

  init() {
    var expected = ExpectedStates()
    expected.trees["a"] = .init(
      states: [.unknown, Self.state("a", 1), Self.state("a", 2)], positions: [10, 30], revisions: [1, 2])
    expected.trees["b"] = .init(states: [.unknown, Self.state("b", 1)], positions: [20], revisions: [1])
    expected.history = [.init(tree: "a", revision: 1), .init(tree: "b", revision: 1), .init(tree: "a", revision: 2)]
    self.expected = expected
  }

  private static func state(_ name: String, _ revision: UInt64) -> StoredState {
    .live(
      StoredRoot(name: name, sequence: 1, lastNumber: 0, flow: "depot", digest: Digest(of: name), hasToken: true),
      StoredTree(root: CoordinatorPath(root: name), counters: .init(revision: revision, lastScreen: 1, lastWork: 0)))
  }

  /// Returns the stored states after `count` transitions.
  private func found(_ count: Int) -> StoredStates {
    var found = StoredStates()
    for step in expected.history.prefix(count) { found.trees[step.tree] = Self.state(step.tree, step.revision) }
    found.history = Array(expected.history.prefix(count))
    return found
  }

  private func kind(_ found: StoredStates, at position: UInt64, isDurable: Bool = true) -> FaultViolation.Kind? {
    do {
      _ = try expected.check(found, at: position, isDurable: isDurable)
      return nil
    } catch {
      return error.kind
    }
  }

  @Test("The acknowledged states must be there, and at most one more call")
  func acknowledgedStatesAreRequired() throws {
    #expect(try expected.check(found(2), at: 20, isDurable: true) == ["a": 1, "b": 1])
    #expect(kind(found(3), at: 20) == nil)
    #expect(kind(found(1), at: 20) == .lost)
    #expect(kind(found(0), at: 9) == nil)
    #expect(kind(found(3), at: 9) == .doneTwice)
  }

  @Test("Without durability the last states may be taken back, but no earlier ones")
  func lastStatesMayBeTakenBack() throws {
    #expect(try expected.check(found(1), at: 30, isDurable: false) == ["a": 1, "b": 0])
    var withoutTheFirst = found(3)
    withoutTheFirst.trees["a"] = nil
    #expect(kind(withoutTheFirst, at: 30, isDurable: false) == .other)
  }

  @Test("An impossible state, an unknown tree, and another history are violations")
  func impossibleStatesAreReported() {
    var half = found(3)
    half.trees["a"] = Self.state("a", 3)
    #expect(kind(half, at: 30, isDurable: false) == .other)
    var strange = found(3)
    strange.trees["c"] = Self.state("c", 1)
    #expect(kind(strange, at: 30, isDurable: false) == .doneTwice)
    var swapped = found(3)
    swapped.history.swapAt(0, 1)
    #expect(kind(swapped, at: 30, isDurable: false) == .other)
  }
}
