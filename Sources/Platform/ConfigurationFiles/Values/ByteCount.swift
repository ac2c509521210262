import Platform

/// Byte counts as users write them: `65536`, `64K`, `16M`, `1G`, with powers of 1024.
enum ByteCount {
  private static let units: [(letter: String, shift: UInt32)] = [("G", 30), ("M", 20), ("K", 10)]

  static func read(_ text: String) -> UInt32? {
    for unit in units {
      guard let digits = text.bytes.dropping(suffix: unit.letter) else { continue }
      guard let count = UInt32(digits) else { return nil }
      let (bytes, overflow) = count.multipliedReportingOverflow(by: 1 << unit.shift)
      return overflow ? nil : bytes
    }
    return UInt32(text)
  }

  static func write(_ bytes: UInt32) -> String {
    guard bytes > 0, let unit = units.first(where: { bytes.isMultiple(of: 1 << $0.shift) }) else { return String(bytes) }
    return "\(bytes >> unit.shift)\(unit.letter)"
  }
}
