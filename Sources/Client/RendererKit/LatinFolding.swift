import Platform

/// Maps Latin letters with diacritics to letters without.
enum LatinFolding {
  /// Latin-1 Supplement, Latin Extended-A and -B, and Latin Extended Additional.
  private static let blocks: [ClosedRange<UInt32>] = [0xC0...0x24F, 0x1E00...0x1EFF]

  /// Returns the ASCII letters for a scalar, in lower case; nil if it is not a Latin letter with diacritics.
  static func letters(for value: UInt32) -> [UInt32]? {
    value < 0x250 || (0x1E00...0x1EFF).contains(value) ? table[value] : nil
  }

  /// The letters by scalar. Derived from the names of the characters, such as `LATIN SMALL LETTER E WITH ACUTE`, at the first
  /// use.
  private static let table: [UInt32: [UInt32]] = {
    var table: [UInt32: [UInt32]] = [:]
    for block in blocks {
      for value in block {
        if let letters = letters(of: value) { table[value] = letters }
      }
    }
    return table
  }()

  /// The letters and ligatures that become two letters.
  private static let pairs: Set<Substring> = ["AE", "OE", "IJ", "DZ", "LJ", "NJ"]

  private static func letters(of value: UInt32) -> [UInt32]? {
    guard var words = Unicode.Scalar(value)?.properties.name?.bytes.split(separator: " ")[...], words.count >= 4,
      words.removeFirst() == "LATIN", ["CAPITAL", "SMALL"].contains(words.removeFirst()),
      ["LETTER", "LIGATURE"].contains(words.removeFirst())
    else { return nil }
    if words.first == "DOTLESS" { words.removeFirst() }
    guard let name = words.first else { return nil }
    if name == "SHARP" { return Array("ss".unicodeScalars.map(\.value)) }
    return name.utf8.count == 1 || pairs.contains(name) ? name.bytes.lowercased.unicodeScalars.map(\.value) : nil
  }
}
