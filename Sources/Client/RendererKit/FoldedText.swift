/// A text in the form in which rows are filtered: in lower case, and with Latin letters without diacritics.
struct FoldedText: Sendable, Hashable {
  private(set) var scalars: [UInt32] = []
  /// The index of the character that each scalar comes from.
  private(set) var characters: [Int] = []

  /// Folds a text, and records the origin of each scalar.
  init(_ text: String) {
    for (index, character) in text.enumerated() {
      for scalar in character.unicodeScalars { Self.append(scalar, to: &scalars) }
      characters += Array(repeating: index, count: scalars.count - characters.count)
    }
  }

  /// Returns the words of a text, separated by spaces.
  static func words(of text: String) -> [[UInt32]] {
    text.split(whereSeparator: \.isWhitespace).compactMap { word in
      var scalars: [UInt32] = []
      for scalar in word.unicodeScalars { append(scalar, to: &scalars) }
      return scalars.isEmpty ? nil : scalars
    }
  }

  /// Appends the folded scalars of a text.
  static func append(_ text: String, to scalars: inout [UInt32]) {
    for scalar in text.unicodeScalars { append(scalar, to: &scalars) }
  }

  /// Returns whether a folded scalar is part of a word: a letter or a digit.
  static func isOfWord(_ value: UInt32) -> Bool {
    if value < 0x80 { return (0x61...0x7A).contains(value) || (0x30...0x39).contains(value) }
    guard let properties = Unicode.Scalar(value)?.properties else { return false }
    return properties.isAlphabetic || properties.numericType != nil
  }

  private static func append(_ scalar: Unicode.Scalar, to scalars: inout [UInt32]) {
    switch scalar.value {
    case 0x41...0x5A: scalars.append(scalar.value + 0x20)
    case ..<0x80: scalars.append(scalar.value)
    // Combining diacritics, as in decomposed text.
    case 0x300...0x36F: break
    case let value: scalars += LatinFolding.letters(for: value) ?? lowerCase(of: scalar)
    }
  }

  private static func lowerCase(of scalar: Unicode.Scalar) -> [UInt32] {
    let properties = scalar.properties
    return properties.changesWhenLowercased ? properties.lowercaseMapping.unicodeScalars.map(\.value) : [scalar.value]
  }
}
