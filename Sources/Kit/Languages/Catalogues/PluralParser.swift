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
