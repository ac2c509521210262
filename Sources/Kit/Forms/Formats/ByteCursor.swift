/// A position in the bytes of a string, for the parsers of formats. It only moves forward, so that each parser takes linear
/// time.
struct ByteCursor {
  private(set) var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }
  var peek: UInt8? { rest.first }

  /// Removes the next byte if it is the given character.
  ///
  /// - Returns: whether it is.
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func skipOne() { rest = rest.dropFirst() }

  /// Removes the next byte if it is one of the given characters, and returns it.
  mutating func next(of characters: ByteSet) -> UInt8? {
    guard let byte = rest.first, characters.contains(byte) else { return nil }
    rest.removeFirst()
    return byte
  }

  /// Removes and returns the longest prefix that consists of the given characters.
  mutating func prefix(of characters: ByteSet) -> ArraySlice<UInt8> {
    let prefix = rest.prefix { characters.contains($0) }
    rest.removeFirst(prefix.count)
    return prefix
  }

  /// Removes exactly `count` decimal digits, and returns their value; nil if there are fewer.
  mutating func number(digits count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let digit = next(of: .digits) else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}

/// A set of ASCII characters.
struct ByteSet: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0

  init(_ characters: StaticString) {
    characters.withUTF8Buffer { for byte in $0 where byte < 128 { insert(byte) } }
  }

  private init(_ range: ClosedRange<UInt8>) { for byte in range where byte < 128 { insert(byte) } }

  static let digits = ByteSet(UInt8(ascii: "0")...UInt8(ascii: "9"))
  static let hexadecimal = digits.union(ByteSet("abcdefABCDEF"))
  static let letters = ByteSet(UInt8(ascii: "a")...UInt8(ascii: "z")).union(ByteSet(UInt8(ascii: "A")...UInt8(ascii: "Z")))
  static let alphanumeric = letters.union(digits)
  /// The characters of quoted strings in mail addresses: printable ASCII and the space.
  static let printable = ByteSet(0x20...0x7E)

  func contains(_ byte: UInt8) -> Bool {
    byte < 64 ? low & (1 << UInt64(byte)) != 0 : byte < 128 && high & (1 << UInt64(byte - 64)) != 0
  }

  func union(_ other: ByteSet) -> ByteSet {
    var result = self
    result.low |= other.low
    result.high |= other.high
    return result
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
  }
}
