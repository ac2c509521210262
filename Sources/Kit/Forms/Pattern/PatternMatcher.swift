/// Runs a program over a string, following all possible matches in lockstep: each instruction is visited at most once
/// between two code points.
struct PatternMatcher {
  private let program: PatternProgram
  /// The number of instructions visited so far.
  private(set) var steps = 0

  /// The instructions after a code point that was just read.
  private var arrivals: [Int] = []
  /// The instructions that wait for a code point.
  private var waiting: [Int] = []
  private var pending: [Int] = []
  /// The last position at which each instruction was visited.
  private var visitedAt: [Int]

  init(_ program: PatternProgram) {
    self.program = program
    visitedAt = Array(repeating: -1, count: program.instructions.count)
  }

  /// Returns whether the pattern occurs in a string.
  mutating func search(_ text: String.UnicodeScalarView) -> Bool {
    var previous: Unicode.Scalar?
    var index = text.startIndex
    var place = 0
    while true {
      let next = index < text.endIndex ? text[index] : nil
      if place == 0 || !program.isAnchored { arrivals.append(0) }
      if follow(from: previous, to: next, place: place) { return true }
      guard let next, !(waiting.isEmpty && program.isAnchored) else { return false }
      read(next)
      previous = next
      text.formIndex(after: &index)
      place += 1
    }
  }

  /// Follows all arrivals until each waits for a code point; returns true if one of them reaches the end of the
  /// pattern.
  private mutating func follow(from previous: Unicode.Scalar?, to next: Unicode.Scalar?, place: Int) -> Bool {
    waiting.removeAll(keepingCapacity: true)
    swap(&pending, &arrivals)
    arrivals.removeAll(keepingCapacity: true)
    while var address = pending.popLast() {
      // Stops at an instruction that was already visited at this position, and at one that waits: its address does not
      // change, so the next iteration finds it visited.
      while visitedAt[address] != place {
        visitedAt[address] = place
        steps += 1
        switch program.instructions[address] {
        case .match: return true
        case .scalar, .set: waiting.append(address)
        case .assertion(let assertion): if holds(assertion, from: previous, to: next) { address += 1 }
        case .split(let other):
          pending.append(other)
          address += 1
        case .jump(let target): address = target
        }
      }
    }
    return false
  }

  private mutating func read(_ scalar: Unicode.Scalar) {
    for address in waiting {
      let isAccepted =
        switch program.instructions[address] {
        case .scalar(let expected): expected == scalar
        case .set(let index): program.sets[index].contains(scalar)
        default: false
        }
      if isAccepted { arrivals.append(address + 1) }
    }
  }

  private func holds(_ assertion: PatternAssertion, from previous: Unicode.Scalar?, to next: Unicode.Scalar?) -> Bool {
    let isBoundary = (previous.map(ScalarSet.word.contains) ?? false) != (next.map(ScalarSet.word.contains) ?? false)
    return switch assertion {
    case .start: previous == nil
    case .end: next == nil
    case .wordBoundary: isBoundary
    case .noWordBoundary: !isBoundary
    }
  }
}
