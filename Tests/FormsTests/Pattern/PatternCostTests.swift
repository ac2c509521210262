import Testing

@testable import Forms

@Suite("Rule 7: The cost of patterns", .timeLimit(.minutes(5)))
struct PatternCostTests {
  @Test(
    "Rule 7: Patterns that hang a backtracking matcher take steps in proportion to the string",
    arguments: [
      ("(a+)+$", 50_000), ("^(a+)+$", 50_000), ("(a*)*b", 5_000), ("(a|a)*c", 5_000), ("(a|aa)+$", 5_000),
      ("^(([a-z])+.)+[A-Z]([a-z])+$", 5_000), ("(.*a){11}$", 2_000), ("(a?){30}a{30}$", 2_000), ("(?:a*)*?!", 5_000),
    ])
  func catastrophicPatternsTakeLinearSteps(source: String, length: Int) throws {
    let pattern = try Pattern(compiling: source)
    var steps = 0
    _ = pattern.matches(String(repeating: "a", count: length) + "!\n", steps: &steps)
    #expect(steps <= pattern.stepsPerScalar * (length + 3))
  }

  @Test("Rule 7: A pattern anchored to the start stops as soon as nothing can match any more")
  func anchoredPatternStopsEarly() throws {
    for source in ["^a+b", "(^a|^b)c", "(?:^x)+y", "^", "^^a"] {
      var steps = 0
      _ = try Pattern(compiling: source).matches(String(repeating: "z", count: 10_000), steps: &steps)
      #expect(steps < 20, "\(source)")
    }
    #expect(try Pattern(compiling: "(?:^a|b)c").matches("xbc"))
    #expect(try Pattern(compiling: "(?:^a)*c").matches("xc"))
  }

  @Test(
    "Rule 7: A pattern whose expanded repetitions are too large is refused without building it",
    arguments: [
      "a{10000}", "a{99999999999999999999}", "(((a{100}){100}){100}){100}", "((a{0,100}){0,100}){0,100}",
      "((((((((){9999}){9999}){9999}){9999}){9999}){9999}){9999}){9999}", "(a{5000,}){3}", "(|){5000}", "[a-z]{9998,9999}",
      String(repeating: "a", count: 10_001), "[" + String(repeating: "a", count: 100_000) + "]",
    ])
  func tooLargePatternIsRefusedUnbuilt(source: String) {
    let error = #expect(throws: PatternError.self) { try Pattern(compiling: source) }
    #expect(error?.reason == .tooLarge)
  }

  @Test("Rule 7: A pattern of the largest allowed size is compiled")
  func largestAllowedPatternCompiles() throws {
    let pattern = try Pattern(compiling: "^[a-z]{9990}$|")
    #expect(pattern.stepsPerScalar <= Pattern.maximumInstructions)
    #expect(try Pattern(compiling: "^a{9997}$").matches(String(repeating: "a", count: 9_997)))
  }

  @Test("Rule 7: The nesting of groups is bounded so that no pattern exhausts the stack")
  func groupNestingIsBounded() throws {
    func nested(_ depth: Int) -> String { String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth) }
    #expect(try Pattern(compiling: nested(Pattern.maximumNesting)).matches("a"))
    #expect(throws: PatternError(position: 51, reason: .tooDeep)) { try Pattern(compiling: nested(Pattern.maximumNesting + 1)) }
    #expect(throws: PatternError(position: 51, reason: .tooDeep)) { try Pattern(compiling: String(repeating: "(", count: 9_999)) }
    #expect(try Pattern(compiling: "(?:" + nested(40) + "+|b)*$").matches("ab"))
  }
}
