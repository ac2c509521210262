/// The moves that remain to be made, nearest first.
struct Frontier {
  /// A move from a state.
  struct Entry {
    let node: Int
    let move: FlowMove
  }

  /// The order in which to take moves.
  enum Order {
    case nearest
    /// A move that has not been made on any screen, or the nearest if there is none.
    case newKindsFirst
    /// Only a move that has not been made on any screen.
    case newKindsOnly
  }

  private var waiting: [Entry] = []
  private var next = 0
  private var made: Set<FlowMove.Place> = []

  /// Adds the moves from a state.
  mutating func add(_ moves: [FlowMove], from node: Int) {
    waiting += moves.map { Entry(node: node, move: $0) }
  }

  /// Removes and returns the next move; nil if there is none.
  mutating func take(_ order: Order) -> Entry? {
    let entry = take(at: index(order))
    if let entry { made.insert(entry.move.place) }
    return entry
  }

  private func index(_ order: Order) -> Int? {
    let first = waiting.indices.contains(next) ? next : nil
    guard order != .nearest else { return first }
    let new = waiting[next...].firstIndex { !made.contains($0.move.place) }
    return order == .newKindsOnly ? new : new ?? first
  }

  private mutating func take(at index: Int?) -> Entry? {
    guard let index else { return nil }
    guard index == next else { return waiting.remove(at: index) }
    next += 1
    return waiting[index]
  }
}
