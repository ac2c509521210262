import Platform
import Testing

@Suite("A queue", .timeLimit(.minutes(5)))
struct FIFOQueueTests {
  @Test("Elements come out in the order in which they were appended, however appending and taking alternate", arguments: 1...8)
  func elementsKeepTheirOrder(seed: Int) {
    var queue = FIFOQueue<Int>()
    var expected: [Int] = []
    var (next, state) = (0, UInt64(seed))
    for _ in 0..<4_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      if state >> 62 != 0 {
        queue.append(next)
        expected.append(next)
        next += 1
      } else {
        for _ in 0..<state >> 58 & 15 {
          #expect(queue.first == expected.first)
          #expect(queue.popFirst() == (expected.isEmpty ? nil : expected.removeFirst()))
        }
      }
      #expect(queue.count == expected.count)
      #expect(queue.isEmpty == expected.isEmpty)
    }
  }

  @Test("An element is inserted before the first later one, or at the end, also after others were taken")
  func insertion() {
    var queue = FIFOQueue<Int>()
    queue.append(contentsOf: [0, 1, 2, 4])
    queue.popFirst()
    queue.insert(3) { $0 > 3 }
    queue.insert(5) { $0 > 5 }
    #expect((0..<6).map { _ in queue.popFirst() } == [1, 2, 3, 4, 5, nil])
  }

  @Test("Removed elements do not come out, and taken ones do not come back")
  func removal() {
    var queue = FIFOQueue<Int>()
    queue.append(contentsOf: 0..<6)
    queue.popFirst()
    queue.removeAll { $0.isMultiple(of: 2) }
    #expect(queue.count == 3)
    #expect((0..<4).map { _ in queue.popFirst() } == [1, 3, 5, nil])
  }
}
