/// A set of code points, as a class or an escape such as `\d` denotes it.
struct ScalarSet: Sendable {
  /// The ranges; sorted and disjoint after `normalize()`.
  private var ranges: [ClosedRange<UInt32>]
  private var categories: GeneralCategories
  private var isNegated = false

  init(_ ranges: [ClosedRange<UInt32>] = [], categories: GeneralCategories = GeneralCategories()) {
    self.ranges = ranges
    self.categories = categories
  }

  mutating func insert(_ range: ClosedRange<Unicode.Scalar>) { ranges.append(range.lowerBound.value...range.upperBound.value) }

  mutating func insert(_ other: ScalarSet) {
    // The negation flag need not be merged: only whole classes are negated, and classes do not nest.
    ranges += other.ranges
    categories.formUnion(other.categories)
  }

  mutating func negate() { isNegated.toggle() }

  /// Sorts and merges the ranges, so that they can be searched.
  mutating func normalize() {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound + 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    ranges = merged
  }

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < scalar.value { low = middle + 1 } else { high = middle }
    }
    let isListed = low < ranges.count && ranges[low].lowerBound <= scalar.value
    return (isListed || categories.contains(scalar)) != isNegated
  }
}

extension ScalarSet {
  /// The set of `.`: all code points except line terminators.
  static let anyButLineEnds = complement(of: [0xA...0xA, 0xD...0xD, 0x2028...0x2029])
  static let digits = ScalarSet([0x30...0x39])
  static let notDigits = complement(of: digits.ranges)
  static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let notWord = complement(of: word.ranges)
  static let space = ScalarSet([
    0x9...0xD, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F,
    0x3000...0x3000, 0xFEFF...0xFEFF,
  ])
  static let notSpace = complement(of: space.ranges)

  /// Returns the complement of ranges that are sorted and disjoint.
  private static func complement(of ranges: [ClosedRange<UInt32>]) -> ScalarSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if next < range.lowerBound { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    result.append(next...0x10FFFF)
    return ScalarSet(result)
  }
}
