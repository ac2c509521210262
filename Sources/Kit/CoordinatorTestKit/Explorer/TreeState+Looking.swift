import CoordinatorKit

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

  /// Whether nobody can tell an action of a list from the choice of a row.
  var hasAmbiguousChoice: Bool { items != nil && actions.contains { $0.id == Event.select } }
}
