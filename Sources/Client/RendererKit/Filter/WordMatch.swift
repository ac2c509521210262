/// The position of a word in folded text.
struct WordMatch: Sendable, Hashable {
  /// The scalars that match.
  var range: Range<Int>
  /// Whether no letter or digit precedes them.
  var isWordStart: Bool

  /// Finds a word as a part of a text: at the beginning of a word if possible, otherwise at its first occurrence.
  static func part(_ word: [UInt32], in scalars: UnsafeBufferPointer<UInt32>, _ range: Range<Int>) -> WordMatch? {
    guard let first = word.first, range.count >= word.count else { return nil }
    var found: WordMatch?
    for start in range.lowerBound...range.upperBound - word.count where scalars[start] == first {
      guard begins(word, at: start, scalars) else { continue }
      let isWordStart = start == range.lowerBound || !FoldedText.isOfWord(scalars[start - 1])
      let match = WordMatch(range: start..<start + word.count, isWordStart: isWordStart)
      if isWordStart { return match }
      if found == nil { found = match }
    }
    return found
  }

  private static func begins(_ word: [UInt32], at start: Int, _ scalars: UnsafeBufferPointer<UInt32>) -> Bool {
    for offset in 1..<max(word.count, 1) where scalars[start + offset] != word[offset] { return false }
    return true
  }

  /// Returns whether the letters of a word follow each other in a text, with other letters between them. A number must be in
  /// one piece, because its digits occur in too many other numbers.
  static func hasLetters(_ word: [UInt32], in scalars: UnsafeBufferPointer<UInt32>, _ range: Range<Int>) -> Bool {
    guard !word.allSatisfy({ (0x30...0x39).contains($0) }) else { return false }
    var next = 0
    for index in range where scalars[index] == word[next] {
      next += 1
      if next == word.count { return true }
    }
    return false
  }

  /// Finds the letters of a word that follow each other in a text, close together: ends where they are first complete, and
  /// begins as late as possible before that.
  static func letters(_ word: [UInt32], in scalars: [UInt32], _ range: Range<Int>) -> [Int] {
    var next = 0
    var end: Int?
    for index in range where next < word.count && scalars[index] == word[next] {
      next += 1
      if next == word.count { end = index }
    }
    guard let end else { return [] }
    var found: [Int] = []
    for index in (range.lowerBound...end).reversed() where next > 0 && scalars[index] == word[next - 1] {
      next -= 1
      found.append(index)
    }
    return found.reversed()
  }
}
