/// Texts of attackers who know that a program parses them: the same in each run with the same seed.
///
/// `TestSupport/Hostile/hostile_text.py` contains the same texts for tests in Python.
package enum HostileText {
  /// Every ASCII character that is neither a letter nor a digit, except NUL.
  package static let specials: [Unicode.Scalar] = (1..<128).map { Unicode.Scalar(UInt8($0)) }
    .filter { !$0.properties.isAlphabetic && !("0"..."9").contains($0) }

  /// Scalars that form one Character with the preceding one: variation selectors, joiners, marks of all three kinds, an
  /// enclosing mark, a tag, and an emoji modifier.
  package static let extenders: [String] = [
    "\u{FE0F}", "\u{FE00}", "\u{E0100}", "\u{200D}", "\u{200C}", "\u{34F}", "\u{301}", "\u{327}", "\u{93E}", "\u{E33}",
    "\u{20DD}",
    "\u{E0020}", "\u{1F3FB}", "\u{1ABE}", "\u{300}\u{301}\u{302}",
  ]

  /// Scalars that `==` of strings treats as `;`, a grave accent, `K` and `<`; line separators; and direction overrides.
  package static let lookalikes: [String] = [
    "\u{37E}", "\u{1FEF}", "\u{212A}", "<\u{338}", "\u{2028}", "\u{2029}", "\u{85}", "\u{A0}", "\u{3000}", "\r\n", "\r",
    "\u{FF07}",
    "\u{202E}", "\u{2066}", "\u{200F}", "\u{FEFF}",
  ]

  /// Each special ASCII character alone and with each extender, and each lookalike.
  package static let combinations: [String] =
    specials.flatMap { special in
      ["a\(special)b"] + extenders.flatMap { ["a\(special)\($0)b", "\(special)\($0)", "\($0)\(special)\(special)"] }
    } + lookalikes.flatMap { [$0, "a\($0)b", "a'\($0)'b"] }

  /// Creates texts of all of these and of letters of all planes.
  ///
  /// - Parameters:
  ///   - count: the number of texts.
  ///   - generator: the source of randomness.
  /// - Returns: the texts.
  package static func random(_ count: Int, using generator: inout some RandomNumberGenerator) -> [String] {
    let letters = ["a", "Z", "0", "ä", "é", "e\u{301}", "水", "한", "\u{1F469}\u{200D}\u{1F467}", "\u{10FFFD}", "ﬁ", "ß", "İ"]
    let pool =
      specials.map(String.init) + extenders + extenders + lookalikes + letters + letters + Array(repeating: "'", count: 20)
    return (0..<count).map { _ in
      (0..<Int.random(in: 1...200, using: &generator)).map { _ in pool.randomElement(using: &generator) ?? "'" }.joined()
    }
  }
}
