import DBus
import TestBus

/// Generates values of any type that are likely to be handled incorrectly.
struct ExtremeValues {
  var generator: SeededGenerator

  private static let texts = [
    "", "a", "router", "flows", "pets_1", "/", "..", "%s%n%n", "\u{1}\u{7F}", "\u{FFFF}", "e\u{301}", "🏳️‍🌈", "\u{202E}abc", "null",
    "-0",
    "org.freedesktop.DBus", String(repeating: "a", count: 64), String(repeating: "a", count: 65),
    String(repeating: "é", count: 255),
    String(repeating: "x", count: 70_000),
  ]
  private static let integers: [Int64] = [0, 1, -1, 2, 127, 128, 255, 256, 32_768, 65_536, .max, .min, 1 << 31, 1 << 32, 1 << 53]
  private static let doubles: [Double] = [
    0, -0.0, 1, 0.1, -1, .infinity, -.infinity, .nan, 1e308, 9_007_199_254_740_992, .leastNonzeroMagnitude,
  ]

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

  mutating func pick<T>(_ values: [T]) -> T? { values.randomElement(using: &generator) }

  mutating func text() -> String {
    // Very long strings are rare, because they take most of the time.
    if chance(1) { return String(repeating: "y", count: (1 << 20) + Int.random(in: -40...40, using: &generator)) }
    return pick(Self.texts) ?? ""
  }

  mutating func integer() -> Int64 {
    chance(30) ? Int64(truncatingIfNeeded: generator.next()) : pick(Self.integers) ?? 0
  }

  mutating func path() -> ObjectPath {
    let texts = [
      "/", "/a", "/org/coordinatord/Coordinator1/flows", "/org/coordinatord/Coordinator1/flows/nobody", "/org/freedesktop/DBus",
      "/" + Array(repeating: "a", count: 400).joined(separator: "/"), "/" + String(repeating: "b", count: 20_000),
    ]
    return pick(texts).flatMap { try? ObjectPath($0) } ?? .root
  }

  /// Returns a random type with containers nested up to `depth` deep.
  mutating func type(depth: Int) -> SingleType {
    let basic: [SingleType] = [
      .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature,
    ]
    let key = pick(basic) ?? .string
    guard depth > 0, chance(50) else { return key }
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: return .array(type(depth: depth - 1))
    case 1: return .dictionary(key: .string, value: .variant)
    case 2: return .dictionary(key: key, value: type(depth: depth - 1))
    case 3: return .structure((0..<Int.random(in: 1...3, using: &generator)).map { _ in type(depth: depth - 1) })
    default: return .variant
    }
  }

  mutating func value(of type: SingleType, depth: Int = 3) -> Value {
    switch type {
    case .byte: .byte(UInt8(truncatingIfNeeded: integer()))
    case .boolean: .boolean(chance(50))
    case .int16: .int16(Int16(truncatingIfNeeded: integer()))
    case .uint16: .uint16(UInt16(truncatingIfNeeded: integer()))
    case .int32: .int32(Int32(truncatingIfNeeded: integer()))
    case .uint32: .uint32(UInt32(truncatingIfNeeded: integer()))
    case .int64: .int64(integer())
    case .uint64: .uint64(UInt64(bitPattern: integer()))
    case .double: .double(pick(Self.doubles) ?? 0)
    case .string: .string(text())
    case .objectPath: .objectPath(path())
    case .signature: .signature((pick(["", "a{sv}", "(ii)", "v"]).flatMap { try? Signature($0) }) ?? .empty)
    case .array(let element): .array(of: element, elements(of: element) { $0.value(of: element, depth: depth - 1) })
    case .dictionary(let key, let value):
      .dictionary(key: key, value: value, entries(key: key, value: value, depth: depth - 1))
    case .structure(let members): .structure(members.map { value(of: $0, depth: depth - 1) })
    case .variant: chance(2) ? nested() : .variant(value(of: self.type(depth: max(0, depth - 1)), depth: depth - 1))
    }
  }

  /// Returns a few entries, two of which may have the same key, which the wire format allows.
  private mutating func entries(key: SingleType, value: SingleType, depth: Int) -> [DictionaryEntry] {
    var entries = few { DictionaryEntry(key: $0.value(of: key), value: $0.value(of: value, depth: depth)) }
    if let first = entries.first, chance(20) { entries.append(first) }
    return entries
  }

  /// Returns a few elements, or occasionally many numbers.
  private mutating func elements(of type: SingleType, _ make: (inout ExtremeValues) -> Value) -> [Value] {
    switch type {
    case .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double:
      chance(2) ? (0..<20_000).map { _ in make(&self) } : few(make)
    default: few(make)
    }
  }

  private mutating func few<T>(_ make: (inout ExtremeValues) -> T) -> [T] {
    (0..<Int.random(in: 0...3, using: &generator)).map { _ in make(&self) }
  }

  /// Returns nested variants, at depths around the limits of the daemon and of the bus.
  private mutating func nested() -> Value {
    let levels = pick([2, 7, 8, 9, 16, 22, 40, 60]) ?? 8
    return (0..<levels).reduce(.boolean(true)) { value, _ in .variant(value) }
  }
}
