import CoordinatorKit
import Testing

@Suite("A dictionary whose copies share what did not change", .timeLimit(.minutes(5)))
struct SharedDictionaryTests {
  @Test("It does the same as Swift's dictionary, and a copy does not change with it", arguments: 1...4)
  func sameAsADictionary(seed: Int) {
    var shared: SharedDictionary<Int, Int> = [:]
    var plain: [Int: Int] = [:]
    var copies: [(SharedDictionary<Int, Int>, [Int: Int])] = []
    var state = UInt64(seed)
    for step in 0..<6_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let key = Int(state >> 40) % 900
      switch state >> 61 {
      case 0: #expect(shared.removeValue(forKey: key) == plain.removeValue(forKey: key))
      case 1:
        shared[key] = nil
        plain[key] = nil
      case 2:
        shared[key]? += 1
        plain[key]? += 1
      case 3: #expect(shared.updateValue(step, forKey: key) == plain.updateValue(step, forKey: key))
      default:
        shared[key] = step
        plain[key] = step
      }
      #expect(shared.count == plain.count)
      #expect(shared[key] == plain[key])
      if step.isMultiple(of: 1_500) { copies.append((shared, plain)) }
    }
    copies.append((shared, plain))
    for (shared, plain) in copies {
      #expect(Dictionary(uniqueKeysWithValues: shared.map { ($0.key, $0.value) }) == plain)
      #expect(shared.keys.sorted() == plain.keys.sorted())
      #expect(shared.values.sorted() == plain.values.sorted())
      #expect(shared.isEmpty == plain.isEmpty)
    }
  }
}
