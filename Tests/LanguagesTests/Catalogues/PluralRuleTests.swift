import TestBus
import Testing

@testable import Languages

@Suite("Plural forms", .timeLimit(.minutes(1)))
struct PluralRuleTests {
  /// The rule of a language, as its translators write it, and numbers that take each form.
  struct Sample: Sendable, CustomTestStringConvertible {
    var language: String
    var rule: String
    var numbers: [[Int]]

    var testDescription: String { language }

    init(_ language: String, _ rule: String, _ numbers: [[Int]]) {
      (self.language, self.rule, self.numbers) = (language, rule, numbers)
    }

    static let all = [
      Sample("de", "nplurals=2; plural=(n != 1);", [[1], [0, 2, 11, 21, 100]]),
      Sample("fr", "nplurals=2; plural=n>1;", [[0, 1], [2, 11, 100]]),
      Sample(
        "pl", "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
        [[1], [2, 3, 4, 22, 104, 1_002], [0, 5, 11, 12, 14, 21, 101, 112]]),
      Sample(
        "ru",
        "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
        [[1, 21, 101, 1_001], [2, 4, 23, 102], [0, 5, 11, 12, 14, 20, 111, 112]]),
      Sample(
        "ar", "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
        [[0], [1], [2], [3, 10, 103, 110], [11, 99, 111, 199], [100, 101, 102, 200, 1_000]]),
      Sample("ja", "nplurals=1; plural=0;", [[0, 1, 2, 100]]),
      Sample("cs", "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;", [[1], [2, 3, 4], [0, 5, 11, 21, 22]]),
      Sample(
        "sl", "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);",
        [[1, 101], [2, 202], [3, 4, 104], [0, 5, 11, 12, 100]]),
      Sample(
        "ga", "nplurals=5; plural=n==1 ? 0 : n==2 ? 1 : n<7 ? 2 : n<11 ? 3 : 4;",
        [[1], [2], [0, 3, 6], [7, 10], [11, 12, 100]]),
      Sample(
        "lt", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);",
        [[1, 21, 101], [2, 9, 22, 99, 102], [0, 10, 11, 12, 19, 20, 111]]),
    ]
  }

  @Test("The rules of languages give each number its form", arguments: Sample.all)
  func rulesGiveForms(sample: Sample) throws {
    let rule = try PluralRule(sample.rule)
    #expect(rule.formCount == sample.numbers.count)
    for (form, numbers) in sample.numbers.enumerated() {
      for number in numbers { #expect(rule.index(for: number) == form, "\(number)") }
    }
  }

  @Test(
    "Operators bind and calculate as in C",
    arguments: [
      ("1+2*3", 7), ("(1+2)*3", 9), ("10-3-2", 5), ("100/10/5", 2), ("17%10%4", 3), ("1||0&&0", 1), ("!0+1", 2), ("!!5", 1),
      ("1<2==1", 1), ("3>2>1", 0), ("2>=2", 1), ("2<=1", 0), ("1?2:0?3:4", 2), ("0?2:0?3:4", 4), ("1?0?5:6:7", 6),
      ("1 ? 2 : 3", 2),
      ("4-2+1", 3), ("2*3%4", 2), ("0==1||5!=6", 1), ("n\t+ 1", 43), ("1 ?\n2:3", 2),
    ])
  func operatorsBindAsInC(expression: String, value: Int) throws {
    #expect(try PluralRule("nplurals=100; plural=\(expression)").index(for: 42) == value)
  }

  @Test("What follows the semicolon of a rule is ignored", arguments: [";", "; ", ";\\n", "; n"])
  func restIsIgnored(rest: String) throws {
    #expect(try PluralRule("nplurals=2; plural=(n!=1)" + rest) == PluralRule.germanic)
  }

  @Test("The negative number takes the form of the positive one, and the smallest one traps nothing")
  func negativeNumbersHaveForms() throws {
    #expect(PluralRule.germanic.index(for: -1) == 0)
    #expect(PluralRule.germanic.index(for: .min) == 1)
    #expect(PluralRule.germanic.index(for: .max) == 1)
  }

  @Test(
    "A division by zero gives the first form, unless C would not divide",
    arguments: [
      ("1/0", 0), ("5%n", 0), ("n ? 1/n : 2", 2), ("n && 1/n", 0), ("!n || 1/n", 1), ("1+(3/n)", 0), ("!(1/n)", 0),
    ])
  func divisionByZeroGivesFirstForm(expression: String, form: Int) throws {
    #expect(try PluralRule("nplurals=3; plural=\(expression);").index(for: 0) == form)
  }

  @Test("Overflow wraps, and an index that is too great becomes the last form")
  func overflowIsHarmless() throws {
    #expect(try PluralRule("nplurals=3; plural=n;").index(for: 100) == 2)
    #expect(try PluralRule("nplurals=3; plural=n-1;").index(for: 0) == 2)
    #expect(try PluralRule("nplurals=3; plural=18446744073709551615+n;").index(for: 1) == 0)
    #expect(try PluralRule("nplurals=3; plural=18446744073709551615*18446744073709551615;").index(for: 1) == 1)
  }

  @Test(
    "A rule that is not one is refused, with the place of the mistake",
    arguments: [
      ("", 0, .expected("nplurals")), ("nplurals", 8, .expected("=")), ("nplurals=INTEGER; plural=EXPRESSION;", 9, .unexpected),
      ("nplurals=0; plural=0", 10, .formCount), ("nplurals=101; plural=0", 12, .formCount), ("nplurals=2", 10, .expected(";")),
      ("nplurals=2; plural=", 19, .unexpected), ("nplurals=2; plural=n n", 21, .unexpected),
      ("nplurals=2; plural=(n", 21, .expected(")")), ("nplurals=2; plural=n?1", 22, .expected(":")),
      ("nplurals=2; plural=n=1", 20, .unexpected), ("nplurals=2; plural=-1", 19, .unexpected),
      ("nplurals=2; plural=n!", 20, .unexpected), ("nplurals=2; plural=99999999999999999999", 38, .tooLarge),
      ("nplurals=2; plural=ä", 19, .unexpected), ("nplurals=2; plural=0 0;", 21, .unexpected),
    ] as [(String, Int, PluralRuleError.Reason)])
  func mistakesAreRefused(rule: String, position: Int, reason: PluralRuleError.Reason) {
    let error = #expect(throws: PluralRuleError.self) { try PluralRule(rule) }
    #expect(error?.position == position)
    #expect(error?.reason == reason)
  }

  @Test(
    "A deeply nested rule is refused before it exhausts the stack",
    arguments: [("(", "n", ")"), ("!", "n", ""), ("n?", "n", ":n"), ("n?n:", "n", ""), ("", "n", "+n"), ("n*(", "n", ")")])
  func deepRuleIsRefused(before: String, middle: String, after: String) throws {
    func rule(_ depth: Int) -> String {
      "nplurals=2; plural=" + String(repeating: before, count: depth) + middle + String(repeating: after, count: depth)
    }
    #expect(try PluralRule(rule(20)).index(for: 1) <= 1)
    for depth in [64, 100_000] {
      let error = #expect(throws: PluralRuleError.self) { try PluralRule(rule(depth)) }
      #expect(error?.reason == .tooDeep)
    }
  }

  @Test("No rule of random tokens traps", arguments: [1, 2, 3] as [UInt64])
  func randomRulesDoNotTrap(seed: UInt64) {
    let tokens = [
      "n", "0", "1", "7", "18446744073709551615", "+", "-", "*", "/", "%", "?", ":", "(", ")", "!", "&&", "||", "<", ">=",
    ]
    var random = SeededGenerator(seed: seed)
    var accepted = 0
    for _ in 0..<5_000 {
      let text = (0..<Int.random(in: 1...7, using: &random)).compactMap { _ in tokens.randomElement(using: &random) }.joined()
      guard let rule = try? PluralRule("nplurals=3; plural=\(text)") else { continue }
      accepted += 1
      for number in [0, 1, -1, .max, .min] { #expect(0..<3 ~= rule.index(for: number), "\(text), seed \(seed)") }
    }
    #expect(accepted > 50, "seed \(seed)")
  }
}
