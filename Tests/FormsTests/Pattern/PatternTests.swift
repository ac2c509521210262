import Forms
import Testing

@Suite("Patterns", .timeLimit(.minutes(5)))
struct PatternTests {
  @Test(
    "A pattern matches what ECMA-262 specifies",
    arguments: [
      ("", ["", "a"], []),
      ("b", ["b", "abc"], ["", "a"]),
      ("^b", ["bc"], ["ab"]),
      ("b$", ["ab"], ["bc", "b\n"]),
      ("^$", [""], ["a", "\n"]),
      (".", ["a", "😀", "\0"], ["", "\n", "\r", "\u{2028}", "\u{2029}"]),
      ("^.$", ["😀", "e"], ["e\u{301}", "ab"]),
      ("^a*$", ["", "aaa"], ["ab"]),
      ("^a+?$", ["a", "aaa"], ["", "b"]),
      ("^a??b$", ["b", "ab"], ["aab"]),
      ("^a{2}$", ["aa"], ["a", "aaa"]),
      ("^a{2,}$", ["aa", "aaaa"], ["a"]),
      ("^a{1,3}$", ["a", "aaa"], ["", "aaaa"]),
      ("^a{0}$", [""], ["a"]),
      ("^(?:ab|cd)+$", ["abcd", "cd"], ["", "abc"]),
      ("^(a|b|)$", ["a", "b", ""], ["ab"]),
      ("^(?<year>[0-9]{4})-(?<month>[0-9]{2})$", ["2024-01"], ["24-01"]),
      ("^a|b$", ["ax", "xb"], ["xax"]),
      ("^[abc]$", ["b"], ["d", ""]),
      ("^[^abc]$", ["d", "\n"], ["b", ""]),
      ("^[a-fx-z0]$", ["c", "y", "0"], ["g", "w", "-"]),
      ("^[a-]$", ["a", "-"], ["b"]),
      ("^[-a]$", ["a", "-"], ["b"]),
      ("^[\\]\\\\^]$", ["]", "\\", "^"], ["a"]),
      ("^[[.]$", ["[", "."], ["a"]),
      ("[]", [], ["", "a"]),
      ("^[^]$", ["a", "\n"], [""]),
      ("^\\d\\D$", ["1a", "0😀"], ["11", "aa", "٣a"]),
      ("^\\w\\W$", ["_-", "Zé"], ["--", "aa"]),
      ("^\\s\\S$", [" a", "\u{A0}a", "\u{FEFF}a", "\u{B}x"], ["  ", "aa", "\u{200B}a"]),
      ("^[\\d_\\S]$", ["a", "1"], [" "]),
      ("^[^\\d\\s]$", ["a"], ["1", " "]),
      ("\\bcat\\b", ["a cat!", "cat"], ["cats", "concat"]),
      ("\\Bcat", ["concat"], ["cat", "a cat"]),
      ("^[\\b]$", ["\u{8}"], ["b"]),
      ("^\\p{L}+$", ["aéß日", "ʰ"], ["1", "-"]),
      ("^\\P{L}$", ["1"], ["a"]),
      ("^\\p{Lu}\\p{Lowercase_Letter}$", ["Éa"], ["aa"]),
      ("^[\\p{N}\\p{gc=Pd}]$", ["٣", "Ⅷ", "-", "–"], ["a", "_"]),
      ("^[^\\P{General_Category=Letter}]$", ["a"], ["1"]),
      ("^\\p{LC}$", ["a", "A", "ǅ"], ["日"]),
      ("^\\x41\\u0042\\u{43}\\u{1F600}\\uD83D\\uDE00$", ["ABC😀😀"], ["ABC"]),
      ("^\\t\\n\\v\\f\\r\\0\\cJ$", ["\t\n\u{B}\u{C}\r\0\n"], [""]),
      ("^\\.\\*\\+\\?\\^\\$\\|\\(\\)\\[\\]\\{\\}\\/\\\\\\-\\@$", [".*+?^$|()[]{}/\\-@"], [""]),
      ("^(a*)*$", ["", "aaa"], ["b"]),
      ("^((a|)+b?)*$", ["", "abab"], ["c"]),
      ("^(?:^a|b)+$", ["ab", "bb"], ["aa", "ba"]),
      ("a.c", ["xabcx", "a\r\n c a😀c"], ["a\nc"]),
      ("^(https?)://[^/ ]+(/.*)?$", ["https://example.org/x", "http://a"], ["ftp://a", "http:///"]),
      ("^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$", ["192.168.0.255"], ["256.1.1.1", "1.2.3"]),
    ] as [(String, [String], [String])])
  func patternMatchesAsInECMAScript(source: String, matching: [String], other: [String]) throws {
    let pattern = try Pattern(compiling: source)
    for text in matching { #expect(pattern.matches(text), "\(source) \(text.debugDescription)") }
    for text in other { #expect(!pattern.matches(text), "\(source) \(text.debugDescription)") }
  }

  @Test(
    "A pattern that is unsupported or cannot match in linear time is refused with a position and a reason",
    arguments: [
      ("a(?=b)", 1, .lookaround), ("(?!b)", 0, .lookaround), ("a(?<=b)", 1, .lookaround), ("(?<!b)", 0, .lookaround),
      ("(a)\\1", 3, .backreference), ("(?<x>a)\\k<x>", 7, .backreference),
      ("(?i:a)", 0, .unknownGroup), ("(?<>a)", 0, .unknownGroup), ("(?", 0, .unknownGroup), ("(?<x", 4, .unterminated),
      ("\\a", 0, .unknownEscape), ("a\\_", 1, .unknownEscape), ("\\é", 0, .unknownEscape), ("\\01", 0, .unknownEscape),
      ("\\c1", 0, .unknownEscape), ("\\xg0", 0, .unknownEscape),
      ("\\uD800", 0, .unknownEscape), ("\\uD83D\\u0041", 0, .unknownEscape),
      ("\\u{110000}", 0, .unknownEscape), ("\\u{}", 0, .unknownEscape), ("\\x\u{FF14}\u{FF11}", 0, .unknownEscape),
      ("\\u{FFFFFFFFFFFFFFFFFFFFFFFF}", 0, .unknownEscape), ("\\p", 0, .unknownEscape), ("[\\B]", 1, .unknownEscape),
      ("\\p{Klingon}", 0, .unknownProperty("Klingon")), ("\\p{}", 0, .unknownProperty("")), ("\\p{L", 4, .unterminated),
      ("*", 0, .nothingToRepeat), ("a**", 2, .nothingToRepeat), ("^*", 1, .nothingToRepeat), ("\\b+", 2, .nothingToRepeat),
      ("a|?", 2, .nothingToRepeat), ("{2}", 0, .nothingToRepeat), ("a{1}{2}", 4, .nothingToRepeat),
      ("a{", 1, .badRepetition), ("a{x}", 1, .badRepetition), ("a{,2}", 1, .badRepetition), ("a{2,1}", 1, .badRepetition),
      ("a{1", 1, .badRepetition), ("a{1, 2}", 1, .badRepetition),
      ("]", 0, .unescaped("]")), ("a}", 1, .unescaped("}")), ("a)", 1, .unescaped(")")),
      ("(a", 0, .unterminated), ("[a", 0, .unterminated), ("\\", 1, .unterminated), ("[\\", 2, .unterminated),
      ("[z-a]", 1, .badRange), ("[\\d-z]", 1, .badRange), ("[a-\\d]", 1, .badRange),
    ] as [(String, Int, PatternError.Reason)])
  func unsupportedPatternIsRefusedWithReason(source: String, position: Int, reason: PatternError.Reason) {
    #expect(throws: PatternError(position: position, reason: reason)) { try Pattern(compiling: source) }
  }

  @Test("An invalid pattern literal keeps its error and matches nothing")
  func invalidLiteralPatternMatchesNothing() {
    let good: Pattern = "^a$"
    let bad: Pattern = "(?=a)"
    #expect(good.error == nil)
    #expect(good.matches("a"))
    #expect(bad.error == PatternError(position: 0, reason: .lookaround))
    #expect(!bad.matches("a"))
    #expect(bad.description == "(?=a)")
    #expect(bad.error?.description == "pattern, at 0: lookahead and lookbehind are not supported")
  }

  @Test("Patterns are equal if they are written alike")
  func patternsAreEqualByTheirSource() {
    #expect(Pattern(stringLiteral: "a") == Pattern(stringLiteral: "a"))
    #expect(Pattern(stringLiteral: "a") != Pattern(stringLiteral: "(?:a)"))
  }
}
