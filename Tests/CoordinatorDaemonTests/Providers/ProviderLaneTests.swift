import TestBus
import Testing

@testable import CoordinatorDaemon

@Suite("P5, P12: Questions to one provider", .timeLimit(.minutes(1)))
struct ProviderLaneTests {
  @Test("P5: So many are asked at once, and the others in the order in which they came")
  func width() {
    var lane = ProviderLane<Int>(width: 2)
    #expect(lane.enter(1) == [1])
    #expect(lane.enter(2) == [2])
    #expect(lane.enter(3) == [] && lane.enter(4) == [])
    #expect(lane.isFull)
    #expect(lane.leave(2) == [3])
    // A waiting call may be withdrawn.
    #expect(lane.leave(4) == [])
    #expect(lane.leave(1) == [] && lane.leave(3) == [])
    #expect(lane.isEmpty)
  }

  @Test("P12: What may have killed the provider is asked alone, and before the others")
  func alone() {
    var lane = ProviderLane<Int>(width: 16)
    #expect(lane.enter(1) == [1])
    #expect(lane.enter(2, isAlone: true) == [])
    #expect(lane.enter(3) == [])
    #expect(lane.enter(4, isAlone: true) == [])
    #expect(lane.leave(1) == [2])
    #expect(lane.enter(5) == [])
    #expect(lane.leave(2) == [4])
    #expect(lane.leave(4) == [3, 5])
  }

  @Test("P12: What is to be asked alone and is patient waits for those that have come before, and for no others")
  func patient() {
    var lane = ProviderLane<Int>(width: 16)
    #expect(lane.enter(1, isAlone: true, isPatient: true) == [1])
    #expect(lane.enter(2) == [] && lane.enter(3, isAlone: true, isPatient: true) == [] && lane.enter(4) == [])
    #expect(lane.leave(1) == [2])
    #expect(lane.leave(2) == [3])
    #expect(lane.leave(3) == [4])
  }

  @Test("P5: In any order of arrival, nothing is lost or asked twice, and exclusive questions run alone", arguments: 0..<20)
  func anything(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let width = Int.random(in: 1...4, using: &generator)
    var lane = ProviderLane<Int>(width: width)
    var asked: Set<Int> = []
    var alone: Set<Int> = []
    var waiting: Set<Int> = []
    for number in 0..<500 {
      let admitted: [Int]
      if let some = asked.union(waiting).randomElement(using: &generator), Bool.random(using: &generator) {
        asked.remove(some)
        waiting.remove(some)
        admitted = lane.leave(some)
      } else {
        let isAlone = Int.random(in: 0..<4, using: &generator) == 0
        if isAlone { alone.insert(number) }
        waiting.insert(number)
        admitted = lane.enter(number, isAlone: isAlone)
      }
      #expect(Set(admitted).isSubset(of: waiting) && Set(admitted).count == admitted.count, "seed \(seed)")
      waiting.subtract(admitted)
      asked.formUnion(admitted)
      #expect(asked.count <= width && (asked.isDisjoint(with: alone) || asked.count == 1), "seed \(seed)")
      #expect(waiting.isEmpty || !asked.isEmpty, "seed \(seed)")
    }
  }
}
