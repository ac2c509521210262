/// A parsed pattern, or a part of one.
struct PatternNode: Sendable {
  indirect enum Kind: Sendable {
    case empty
    case scalar(Unicode.Scalar)
    case set(ScalarSet)
    case assertion(PatternAssertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    case repetition(PatternNode, minimum: Int, maximum: Int?)
  }

  let kind: Kind
  /// An upper bound for the number of instructions that the node compiles to. Never 0, so that it also bounds the time
  /// to compile.
  let size: Int

  static let empty = PatternNode(kind: .empty, size: 1)
  static func scalar(_ scalar: Unicode.Scalar) -> PatternNode { PatternNode(kind: .scalar(scalar), size: 1) }
  static func set(_ set: ScalarSet) -> PatternNode { PatternNode(kind: .set(set), size: 1) }
  static func assertion(_ assertion: PatternAssertion) -> PatternNode { PatternNode(kind: .assertion(assertion), size: 1) }

  static func sequence(_ nodes: [PatternNode]) -> PatternNode {
    switch nodes.count {
    case 0: .empty
    case 1: nodes[0]
    default: PatternNode(kind: .sequence(nodes), size: nodes.reduce(0) { $0.addingSaturated($1.size) })
    }
  }

  static func alternatives(_ nodes: [PatternNode]) -> PatternNode {
    guard nodes.count != 1 else { return nodes[0] }
    return PatternNode(kind: .alternatives(nodes), size: nodes.reduce(0) { $0.addingSaturated($1.size).addingSaturated(2) })
  }

  static func repetition(of node: PatternNode, minimum: Int, maximum: Int?) -> PatternNode {
    let required = node.size.multipliedSaturated(by: minimum)
    let optional = maximum.map { node.size.addingSaturated(1).multipliedSaturated(by: $0 - minimum) }
    let size = required.addingSaturated(optional ?? node.size.addingSaturated(2))
    return PatternNode(kind: .repetition(node, minimum: minimum, maximum: maximum), size: max(1, size))
  }
}

/// A condition between two characters.
enum PatternAssertion: Sendable {
  case start
  case end
  case wordBoundary
  case noWordBoundary
}

extension Int {
  fileprivate func addingSaturated(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }

  fileprivate func multipliedSaturated(by other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }
}
