import Forms
import TestBus
import Testing

@Suite("Patterns compared with Swift's regular expressions", .timeLimit(.minutes(5)))
struct PatternOracleTests {
  @Test("Patterns agree with Swift's regular expressions on random small patterns and strings", arguments: 0..<16)
  func patternsAgreeWithSwiftRegex(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<25 {
      let source = Self.pattern(depth: 1, &random)
      let pattern = try Pattern(compiling: source)
      let regex = try Regex(source).matchingSemantics(.unicodeScalar).wordBoundaryKind(.simple)
      for _ in 0..<10 {
        let text = String((0..<Int.random(in: 0...7, using: &random)).map { _ in "abc-".randomElement(using: &random) ?? "a" })
        let expected = try regex.firstMatch(in: text) != nil
        #expect(pattern.matches(text) == expected, "\(source) on \(text.debugDescription)")
      }
    }
  }

  static func pattern(depth: Int, _ random: inout SeededGenerator) -> String {
    let alternatives = (0..<Int.random(in: 1...2, using: &random)).map { _ in
      (0..<Int.random(in: 1...3, using: &random)).map { _ in term(depth: depth, &random) }.joined()
    }
    return alternatives.joined(separator: "|")
  }

  static func term(depth: Int, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return ["^", "$", "\\b", "\\B"].randomElement(using: &random) ?? "^"
    case 1...3 where depth > 0:
      let open = ["(", "(?:"].randomElement(using: &random) ?? "("
      return open + pattern(depth: depth - 1, &random) + ")" + quantifier(&random)
    default:
      let atoms = ["a", "b", "c", ".", "[ab]", "[^a]", "[b-c-]", "\\w", "\\W", "\\d"]
      return (atoms.randomElement(using: &random) ?? "a") + quantifier(&random)
    }
  }

  static func quantifier(_ random: inout SeededGenerator) -> String {
    ["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,3}?", "{1,}"].randomElement(using: &random) ?? ""
  }
}
