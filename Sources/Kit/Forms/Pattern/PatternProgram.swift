/// A pattern as instructions for `PatternMatcher`, compiled by Thompson's construction.
struct PatternProgram: Sendable {
  enum Instruction: Sendable {
    /// Continues at the next instruction after this code point.
    case scalar(Unicode.Scalar)
    /// Continues at the next instruction after a code point of this set (an index into `sets`).
    case set(Int)
    /// Continues at the next instruction if this assertion holds.
    case assertion(PatternAssertion)
    /// Continues at the next instruction and at the given one.
    case split(Int)
    case jump(Int)
    case match
  }

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [ScalarSet] = []
  /// Whether a match can only begin at the start of the string.
  private(set) var isAnchored: Bool

  init(_ source: String) throws(PatternError) {
    let node = try PatternParser.parse(source)
    isAnchored = Self.isAnchored(node)
    emit(node)
    instructions.append(.match)
  }

  private mutating func emit(_ node: PatternNode) {
    switch node.kind {
    case .empty: break
    case .scalar(let scalar): instructions.append(.scalar(scalar))
    case .set(let set):
      instructions.append(.set(sets.count))
      sets.append(set)
    case .assertion(let assertion): instructions.append(.assertion(assertion))
    case .sequence(let nodes): for node in nodes { emit(node) }
    case .alternatives(let nodes): emit(alternatives: nodes)
    case .repetition(let node, let minimum, let maximum):
      for _ in 0..<minimum { emit(node) }
      emit(optional: node, times: maximum.map { $0 - minimum })
    }
  }

  private mutating func emit(alternatives nodes: [PatternNode]) {
    var jumps: [Int] = []
    for (index, node) in nodes.enumerated() {
      let split = instructions.count
      let isLast = index == nodes.count - 1
      if !isLast { instructions.append(.split(0)) }
      emit(node)
      if !isLast {
        jumps.append(instructions.count)
        instructions.append(.jump(0))
        instructions[split] = .split(instructions.count)
      }
    }
    for jump in jumps { instructions[jump] = .jump(instructions.count) }
  }

  /// Emits a repetition that may match up to `times` times; nil stands for any number.
  private mutating func emit(optional node: PatternNode, times: Int?) {
    guard let times else {
      let loop = instructions.count
      instructions.append(.split(0))
      emit(node)
      instructions.append(.jump(loop))
      instructions[loop] = .split(instructions.count)
      return
    }
    var splits: [Int] = []
    for _ in 0..<times {
      splits.append(instructions.count)
      instructions.append(.split(0))
      emit(node)
    }
    for split in splits { instructions[split] = .split(instructions.count) }
  }

  private static func isAnchored(_ node: PatternNode) -> Bool {
    switch node.kind {
    case .assertion(.start): true
    case .sequence(let nodes): nodes.first.map(isAnchored) ?? false
    case .alternatives(let nodes): nodes.allSatisfy(isAnchored)
    case .repetition(let node, let minimum, _): minimum > 0 && isAnchored(node)
    default: false
    }
  }
}

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
