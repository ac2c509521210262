import CoordinatorKit

extension TreeState {
  /// The work that runs, with whose it is; parents first.
  var work: [(owner: CoordinatorRecord, id: WorkID)] {
    coordinatorsInOrder.flatMap { record in record.work.map { (record, $0.id) } }
  }

  /// Something that can be done on the top screen.
  func place(of name: String) -> FlowMove.Place {
    let flow = window.top.flatMap { coordinators[$0.coordinator]?.flow }
    return FlowMove.Place(flow: flow ?? "", screen: window.top?.content.name ?? "", name: name)
  }

  /// What stands for the state in a path: its top screen.
  var label: String {
    guard let top = window.top?.content else { return "(nothing)" }
    return top.progress == nil ? top.name : "\(top.name) (busy)"
  }

  /// Whether nothing can be done, and nothing goes on that could change that.
  var isDeadEnd: Bool {
    guard isAlive, work.isEmpty else { return false }
    guard let top = window.top else { return true }
    return top.content.actions.isEmpty && top.content.items?.isEmpty != false && !top.back
  }

  /// The coordinators that have failed since an earlier state: their flows, and why.
  func failures(since before: TreeState) -> [(flow: String, failure: Failure)] {
    outcomes.inOrder.sorted { $0.path.text < $1.path.text }.compactMap { ended in
      guard case .failed(let failure) = ended.outcome, before.outcomes[ended.path] == nil else { return nil }
      return (before.coordinators[ended.path]?.flow ?? String(ended.path.name), failure)
    }
  }

  /// What there still is of a flow that has ended.
  ///
  /// - Parameter runningWork: how many pieces of work run.
  /// - Returns: in words, what there is.
  func rest(runningWork: Int) -> [String] {
    [("coordinators", coordinators.count), ("screens", window.screens.count), ("work", runningWork)]
      .filter { $0.1 > 0 }.map(\.0)
  }
}

extension Screen {
  /// What its user can do, other than go back.
  var events: [String] { actions.map(\.id) + (items?.isEmpty == false ? [Event.select] : []) }

  /// The ids that two of its items, or two of its actions, have; and `select`, where that would be an action of a list.
  var idsThatAreNotUnique: [String] {
    (actions.map(\.id) + (items == nil ? [] : [Event.select])).repeated + (items ?? []).map(\.id).repeated
  }
}

extension [String] {
  /// Those that are there more than once, each once.
  fileprivate var repeated: [String] {
    var seen: Set<String> = []
    var repeated: [String] = []
    for text in self where !seen.insert(text).inserted && !repeated.contains(text) { repeated.append(text) }
    return repeated
  }
}
