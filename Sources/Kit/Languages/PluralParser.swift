/// Parses the header field `Plural-Forms`, by precedence climbing.
struct PluralParser {
  /// The greatest depth of an expression. Bounds the recursion here, in evaluation, and in releasing the expression.
  static let maximumDepth = 64

  /// A part of the expression, and its depth.
  private typealias Parsed = (expression: PluralExpression, depth: Int)

  private let bytes: [UInt8]
  private var position = 0

  static func parse(_ field: String) throws(PluralRuleError) -> PluralRule {
    var parser = PluralParser(bytes: Array(field.utf8))
    try parser.expect("nplurals")
    try parser.expect("=")
    let count = try parser.integer()
    guard 1...UInt64(PluralRule.maximumFormCount) ~= count else { throw parser.error(.formCount) }
    try parser.expect(";")
    try parser.expect("plural")
    try parser.expect("=")
    let parsed = try parser.condition(level: 0)
    parser.skipSpace()
    // Text after a semicolon is ignored, as in gettext.
    guard parser.skip(";") || parser.position == parser.bytes.count else { throw parser.error(.unexpected) }
    return PluralRule(formCount: Int(count), expression: parsed.expression)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Expressions

  private mutating func condition(level: Int) throws(PluralRuleError) -> Parsed {
    try checkDepth(level)
    let condition = try binary(precedence: 1, level: level)
    guard skip("?") else { return condition }
    let then = try self.condition(level: level + 1)
    try expect(":")
    let otherwise = try self.condition(level: level + 1)
    let expression = PluralExpression.condition(condition.expression, then: then.expression, otherwise: otherwise.expression)
    return try deeper(expression, max(condition.depth, then.depth, otherwise.depth))
  }

  private mutating func binary(precedence minimum: Int, level: Int) throws(PluralRuleError) -> Parsed {
    try checkDepth(level)
    var left = try operand(level: level)
    while let symbol = binaryOperator(precedence: minimum) {
      let right = try binary(precedence: symbol.precedence + 1, level: level + 1)
      left = try deeper(.binary(symbol, left.expression, right.expression), max(left.depth, right.depth))
    }
    return left
  }

  private mutating func operand(level: Int) throws(PluralRuleError) -> Parsed {
    try checkDepth(level)
    if skip("!") {
      let operand = try self.operand(level: level + 1)
      return try deeper(.not(operand.expression), operand.depth)
    }
    if skip("(") {
      let inner = try condition(level: level + 1)
      try expect(")")
      return inner
    }
    if skip("n") { return (.number, 1) }
    return (.constant(try integer()), 1)
  }

  /// Skips the next operator if it binds strongly enough, and returns it.
  private mutating func binaryOperator(precedence minimum: Int) -> PluralExpression.Operator? {
    for (symbol, found) in PluralExpression.Operator.symbols where isNext(symbol) {
      guard found.precedence >= minimum else { return nil }
      position += symbol.utf8CodeUnitCount
      return found
    }
    return nil
  }

  private func checkDepth(_ depth: Int) throws(PluralRuleError) {
    guard depth < Self.maximumDepth else { throw error(.tooDeep) }
  }

  private func deeper(_ expression: PluralExpression, _ depth: Int) throws(PluralRuleError) -> Parsed {
    try checkDepth(depth)
    return (expression, depth + 1)
  }

  // MARK: Tokens

  private mutating func integer() throws(PluralRuleError) -> UInt64 {
    skipSpace()
    var value: UInt64?
    while position < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[position] {
      let (product, overflows) = (value ?? 0).multipliedReportingOverflow(by: 10)
      let (sum, exceeds) = product.addingReportingOverflow(UInt64(bytes[position] - UInt8(ascii: "0")))
      guard !overflows, !exceeds else { throw error(.tooLarge) }
      value = sum
      position += 1
    }
    guard let value else { throw error(.unexpected) }
    return value
  }

  private mutating func expect(_ token: StaticString) throws(PluralRuleError) {
    guard skip(token) else { throw error(.expected("\(token)")) }
  }

  private mutating func skip(_ token: StaticString) -> Bool {
    guard isNext(token) else { return false }
    position += token.utf8CodeUnitCount
    return true
  }

  private mutating func isNext(_ token: StaticString) -> Bool {
    skipSpace()
    return token.withUTF8Buffer { bytes[position...].starts(with: $0) }
  }

  private mutating func skipSpace() {
    while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
  }

  private func error(_ reason: PluralRuleError.Reason) -> PluralRuleError {
    PluralRuleError(position: position, reason: reason)
  }
}

/// The rule that selects the plural form for a number in a language: the header field `Plural-Forms` of a catalogue.
///
/// ```
/// nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2;
/// ```
public struct PluralRule: Sendable, Hashable {
  /// The number of forms, at least 1.
  public let formCount: Int
  let expression: PluralExpression

  /// The rule of English and German, which applies to catalogues without the field: one, and other.
  public static let germanic = PluralRule(formCount: 2, expression: .binary(.notEqual, .number, .constant(1)))

  /// The greatest number of forms; Arabic has 6.
  public static let maximumFormCount = 100

  init(formCount: Int, expression: PluralExpression) {
    self.formCount = formCount
    self.expression = expression
  }

  /// Reads a rule.
  ///
  /// - Parameter field: the value of the header field.
  /// - Throws: ``PluralRuleError``.
  public init(_ field: String) throws(PluralRuleError) { self = try PluralParser.parse(field) }

  /// Returns the index of the form that a number takes.
  ///
  /// - Parameter count: the number; of a negative number, the magnitude counts.
  /// - Returns: the index, less than ``formCount``: a greater one becomes the last, and that of a division by zero the first.
  public func index(for count: Int) -> Int {
    guard let value = expression.value(for: UInt64(count.magnitude)) else { return 0 }
    return Int(min(value, UInt64(formCount - 1)))
  }
}

/// The reason why the header field `Plural-Forms` cannot be read, and the position of the error.
public struct PluralRuleError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The reason.
  public enum Reason: Sendable, Hashable {
    /// This text is expected here.
    case expected(String)
    /// The character is not part of an expression.
    case unexpected
    /// There are no forms, or more than ``PluralRule/maximumFormCount``.
    case formCount
    /// The expression is nested too deeply.
    case tooDeep
    /// A constant does not fit into 64 bits.
    case tooLarge
  }

  /// The position in the field, in bytes, starting at 0.
  public let position: Int
  /// The reason.
  public let reason: Reason

  /// A message for the author of the field.
  public var description: String { "Plural-Forms, at \(position): \(reason)" }
}

extension PluralRuleError.Reason: CustomStringConvertible {
  /// The reason in words.
  public var description: String {
    switch self {
    case .expected(let token): "expected '\(token)'"
    case .unexpected: "expected 'n', a number, or an operator"
    case .formCount: "the number of forms must be between 1 and \(PluralRule.maximumFormCount)"
    case .tooDeep: "the expression is nested too deeply"
    case .tooLarge: "the number is too large"
    }
  }
}

/// An expression in C over one number, in the arithmetic of C's `unsigned long`.
indirect enum PluralExpression: Sendable, Hashable {
  enum Operator: Sendable, Hashable {
    case or, and, equal, notEqual, less, greater, lessOrEqual, greaterOrEqual, add, subtract, multiply, divide, remainder
  }

  case number
  case constant(UInt64)
  case not(PluralExpression)
  case binary(Operator, PluralExpression, PluralExpression)
  case condition(PluralExpression, then: PluralExpression, otherwise: PluralExpression)

  /// Returns the value for a number; nil if it divides by zero. The parser bounds the recursion.
  func value(for number: UInt64) -> UInt64? {
    switch self {
    case .number: return number
    case .constant(let constant): return constant
    case .not(let operand): return operand.value(for: number).map { $0 == 0 ? 1 : 0 }
    case .condition(let condition, let then, let otherwise):
      return condition.value(for: number).flatMap { ($0 != 0 ? then : otherwise).value(for: number) }
    case .binary(let symbol, let left, let right):
      guard let first = left.value(for: number) else { return nil }
      // C does not evaluate the second operand then; it may divide by zero.
      if symbol == .and, first == 0 { return 0 }
      if symbol == .or, first != 0 { return 1 }
      return right.value(for: number).flatMap { symbol.apply(first, $0) }
    }
  }
}

extension PluralExpression.Operator {
  /// Applies the operator as C does: overflow wraps. Returns nil for a division by zero.
  func apply(_ left: UInt64, _ right: UInt64) -> UInt64? {
    switch self {
    case .or: left != 0 || right != 0 ? 1 : 0
    case .and: left != 0 && right != 0 ? 1 : 0
    case .equal: left == right ? 1 : 0
    case .notEqual: left != right ? 1 : 0
    case .less: left < right ? 1 : 0
    case .greater: left > right ? 1 : 0
    case .lessOrEqual: left <= right ? 1 : 0
    case .greaterOrEqual: left >= right ? 1 : 0
    case .add: left &+ right
    case .subtract: left &- right
    case .multiply: left &* right
    case .divide: right == 0 ? nil : left / right
    case .remainder: right == 0 ? nil : left % right
    }
  }

  /// The precedence of the operator; a greater number binds more strongly.
  var precedence: Int {
    switch self {
    case .or: 1
    case .and: 2
    case .equal, .notEqual: 3
    case .less, .greater, .lessOrEqual, .greaterOrEqual: 4
    case .add, .subtract: 5
    case .multiply, .divide, .remainder: 6
    }
  }

  /// All operators and their spellings, the longer ones first.
  static let symbols: [(symbol: StaticString, meaning: PluralExpression.Operator)] = [
    ("||", .or), ("&&", .and), ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual),
    ("<", .less), (">", .greater), ("+", .add), ("-", .subtract), ("*", .multiply), ("/", .divide), ("%", .remainder),
  ]
}
