/// Reads the parts of a compiled terminal description, one after the other.
struct TerminfoBytes {
  private let all: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { all = bytes }

  var isAtEnd: Bool { place >= all.count }

  /// Skips a byte if the next part begins at an odd offset.
  mutating func align() { place += place % 2 }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard place <= all.count, all.count - place >= count else { return nil }
    defer { place += count }
    return Array(all[place..<place + count])
  }

  mutating func short() -> UInt16? { bytes(2).map { UInt16($0[0]) | UInt16($0[1]) << 8 } }

  /// Reads a number that is not negative.
  mutating func count() -> Int? { short().flatMap { $0 <= Int16.max ? Int($0) : nil } }

  mutating func shorts(_ count: Int) -> [Int16]? {
    guard let bytes = bytes(2 * count) else { return nil }
    return (0..<count).map { Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8) }
  }

  mutating func numbers(_ count: Int, areLong: Bool) -> [Int32]? {
    guard areLong else { return shorts(count)?.map(Int32.init) }
    guard let bytes = bytes(4 * count) else { return nil }
    return (0..<count).map { index in
      Int32(bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << (8 * UInt32($1)) })
    }
  }
}

/// Writes the parts of a compiled terminal description.
struct TerminfoOutput {
  var bytes: [UInt8] = []

  /// Adds a zero if the next part would begin at an odd offset.
  mutating func align() { if bytes.count % 2 != 0 { bytes.append(0) } }

  mutating func add(shorts: [Int]) {
    for short in shorts {
      let bits = UInt16(bitPattern: Int16(clamping: short))
      bytes += [UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8)]
    }
  }

  mutating func add(longs: [Int32]) {
    for long in longs {
      let bits = UInt32(bitPattern: long)
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }
  }
}
