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
