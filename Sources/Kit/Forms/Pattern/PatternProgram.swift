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
