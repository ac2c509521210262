import CoordinatorKit

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
    /// The same, but after that the latest one, so that paths end.
    case newKindsThenLatest
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
    switch order {
    case .newKindsOnly: return new
    case .newKindsThenLatest: return new ?? waiting.indices.last.flatMap { $0 >= next ? $0 : nil }
    case .nearest, .newKindsFirst: return new ?? first
    }
  }

  private mutating func take(at index: Int?) -> Entry? {
    guard let index else { return nil }
    guard index == next else { return waiting.remove(at: index) }
    next += 1
    return waiting[index]
  }
}

extension TreeState {
  /// The running work with its owners, parents first.
  var work: [(owner: CoordinatorRecord, id: WorkID)] {
    coordinatorsInOrder.flatMap { record in record.work.map { (record, $0.id) } }
  }

  /// Returns the place of an event on the top screen.
  func place(of name: String) -> FlowMove.Place {
    let flow = window.top.flatMap { coordinators[$0.coordinator]?.flow }
    return FlowMove.Place(flow: flow ?? "", screen: window.top?.content.name ?? "", name: name)
  }

  /// The label of the state in a path: the name of its top screen.
  var label: String {
    guard let top = window.top?.content else { return "(nothing)" }
    return top.progress == nil ? top.name : "\(top.name) (busy)"
  }

  /// Whether no move is possible and no work runs that could change that.
  var isDeadEnd: Bool {
    guard isAlive, work.isEmpty else { return false }
    guard let top = window.top else { return true }
    return top.content.actions.isEmpty && top.content.items?.isEmpty != false && !top.back
  }

  /// Returns the coordinators that have failed since an earlier state: their flows, and the failures.
  func failures(since before: TreeState) -> [(flow: String, failure: Failure)] {
    outcomes.inOrder.sorted { $0.path.text < $1.path.text }.compactMap { ended in
      guard case .failed(let failure) = ended.outcome, before.outcomes[ended.path] == nil else { return nil }
      return (before.coordinators[ended.path]?.flow ?? String(ended.path.name), failure)
    }
  }

  /// Returns what remains of a flow that has ended.
  ///
  /// - Parameter runningWork: the number of running pieces of work.
  /// - Returns: the kinds of things that remain, in words.
  func rest(runningWork: Int) -> [String] {
    [("coordinators", coordinators.count), ("screens", window.screens.count), ("work", runningWork)]
      .filter { $0.1 > 0 }.map(\.0)
  }
}

extension Screen {
  /// The events that the user can cause, except Back.
  var events: [String] {
    actions.filter { $0.disabled == nil }.map(\.id) + (items?.contains { $0.disabled == nil } == true ? [Event.select] : [])
  }

  /// Whether an action of a list cannot be distinguished from the choice of a row.
  var hasAmbiguousChoice: Bool { items != nil && actions.contains { $0.id == Event.select } }
}
