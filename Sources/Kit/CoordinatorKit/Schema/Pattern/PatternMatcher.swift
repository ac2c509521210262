/// Runs a program over a text, all ways to match in lockstep: each instruction is visited at most once between two code points.
struct PatternMatcher {
  private let program: PatternProgram
  /// How many instructions have been visited so far.
  private(set) var steps = 0

  /// Where the ways to match are: instructions that follow a code point that was just read.
  private var arrivals: [Int] = []
  /// The instructions that wait for a code point.
  private var waiting: [Int] = []
  private var pending: [Int] = []
  /// By instruction: the last place at which it was visited.
  private var visitedAt: [Int]

  init(_ program: PatternProgram) {
    self.program = program
    visitedAt = Array(repeating: -1, count: program.instructions.count)
  }

  /// Whether the pattern occurs in the text.
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

  /// Goes on from all arrivals until each way waits for a code point; true if one of them is at its end.
  private mutating func follow(from previous: Unicode.Scalar?, to next: Unicode.Scalar?, place: Int) -> Bool {
    waiting.removeAll(keepingCapacity: true)
    swap(&pending, &arrivals)
    arrivals.removeAll(keepingCapacity: true)
    while var address = pending.popLast() {
      // A way ends where another has been, and where it waits: its address stays the same then, and has been visited.
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
