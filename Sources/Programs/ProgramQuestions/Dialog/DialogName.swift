/// Computes the name of a box's screen, by which answers files identify it.
///
/// The name consists of the kind of the box and the words of its title and text. Numbers and paths are left out, because they
/// change from one run to the next.
enum DialogName {
  private static let longest = 60, longestText = 2_000

  /// Returns a name.
  ///
  /// - Parameters:
  ///   - box: the name of the box, such as `menu`.
  ///   - texts: its texts.
  /// - Returns: lowercase words with hyphens between them; a digest follows if the name does not contain all words.
  static func name(_ box: String, _ texts: [ProgramText]) -> String {
    let words = [box] + texts.flatMap { Self.words(of: $0, leavesNumbersOut: true) }
    var name = ""
    for word in words {
      guard word.utf8.allSatisfy({ $0 < 0x80 }), name.utf8.count + word.utf8.count < longest else {
        return "\(name)-\(digest(words))"
      }
      name += name.isEmpty ? word : "-" + word
    }
    return name
  }

  /// Returns the words of a text, in lowercase.
  static func words(of text: ProgramText, leavesNumbersOut: Bool = false) -> [String] {
    let pieces = DialogText.body(text, limit: longestText).unicodeScalars.split(whereSeparator: \.properties.isWhitespace)
    var words: [String] = []
    for scalars in pieces {
      if leavesNumbersOut, scalars.first == "/", scalars.count > 1 { continue }
      let lowercase = scalars.map(\.properties.lowercaseMapping).joined(separator: "")
      for part in lowercase.unicodeScalars.split(whereSeparator: { !$0.isWordPart }) {
        let word = part.drop { !$0.beginsWord }
        if word.isEmpty || leavesNumbersOut && word.contains(where: { $0.properties.numericType != nil }) { continue }
        words.append(String(word))
      }
    }
    return words
  }

  /// Returns the 32-bit FNV-1a hash.
  private static func digest(_ words: [String]) -> String {
    var hash: UInt32 = 0x811c_9dc5
    for byte in words.joined(separator: " ").utf8 { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
    let text = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - text.utf8.count) + text
  }
}

extension DialogBox {
  /// The name of the screen.
  var screenName: String {
    let text = DialogMarkup(self.text, isOn: hasMarkup).plain
    return DialogName.name(isFollowUp ? name + "-more" : name, [title ?? backTitle ?? "", text])
  }
}
