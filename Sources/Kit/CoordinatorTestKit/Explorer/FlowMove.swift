import CoordinatorKit

/// A move in a running flow, as a value that can be repeated in another run.
package struct FlowMove: Sendable {
  /// The event of the move.
  package enum Kind: Sendable {
    /// The user acts on the top screen.
    case event(String, payload: [String: JSONValue])
    /// An event arrives that does not come from a screen.
    case outsideEvent(String)
    case back
    /// A piece of work ends: with its own result, or with the given one, which replaces that of its provider.
    case workEnds(WorkID, of: CoordinatorPath, as: WorkEnding? = nil)
    case timerFires
    case dismiss
  }

  /// Returns the end of work that belongs to another process, and is not performed here.
  package typealias WorkEnding = @Sendable () async -> ProvidedWork.End

  /// Identifies moves of the same kind: a screen, and the action on it.
  package struct Place: Hashable, Sendable {
    package let flow: String
    package let screen: String
    package let name: String

    /// Creates a place.
    package init(flow: String, screen: String, name: String) { (self.flow, self.screen, self.name) = (flow, screen, name) }

    /// The place of an event that does not come from a screen.
    static func outside(_ event: String) -> Place { Place(flow: "", screen: "", name: event) }
  }

  package let kind: Kind
  package let place: Place
  /// The text of the move in a path, for people. Contains no secret.
  package let text: String

  /// Whether it happens without a user.
  var happensByItself: Bool {
    switch kind {
    case .workEnds, .timerFires: true
    case .event, .outsideEvent, .back, .dismiss: false
    }
  }

  /// Creates a move.
  package init(kind: Kind, place: Place, text: String) { (self.kind, self.place, self.text) = (kind, place, text) }
}

extension FlowExplorer {
  /// Returns all possible moves of a flow in a state.
  func moves(in state: TreeState) -> [FlowMove] {
    guard state.isAlive else { return [] }
    var moves: [FlowMove] = []
    if let top = state.window.top {
      for action in top.content.actions where action.disabled == nil { moves += self.moves(for: action, on: top, in: state) }
      moves += choices(on: top.content, in: state)
      moves += changes(on: top.content, in: state)
      moves.append(FlowMove(kind: .back, place: state.place(of: "Back"), text: "Back"))
    }
    for (index, work) in state.work.enumerated() {
      let text = state.work.count == 1 ? "work ends" : "work \(index + 1) ends"
      let place = FlowMove.Place(flow: work.owner.flow, screen: state.place(of: text).screen, name: text)
      moves.append(FlowMove(kind: .workEnds(work.id, of: work.owner.path), place: place, text: text))
    }
    if firesTimers, state.nextDue != nil {
      moves.append(FlowMove(kind: .timerFires, place: state.place(of: "timer"), text: "timer"))
    }
    moves += outsideEvents.map { FlowMove(kind: .outsideEvent($0), place: state.place(of: "outside \($0)"), text: $0) }
    moves.append(FlowMove(kind: .dismiss, place: state.place(of: "Dismiss"), text: "Dismiss"))
    return moves
  }

  /// Returns the choices of rows of a list. If several rows are chosen at once, each is chosen with as few others as possible.
  private func choices(on screen: Screen, in state: TreeState) -> [FlowMove] {
    let items = (screen.items ?? []).filter { $0.disabled == nil }
    func choice(_ payload: [String: JSONValue], _ text: String) -> FlowMove {
      FlowMove(
        kind: .event(Event.select, payload: payload), place: state.place(of: Event.select), text: "\(Event.select) \(text)")
    }
    guard let count = screen.choosing?.count else {
      return chosen(of: items).map { choice(["id": .string($0.id)], $0.id) }
    }
    let least = chosen(of: items).map { item in
      [item.id] + items.map(\.id).filter { $0 != item.id }.prefix(max(0, count.lowerBound - 1))
    }
    return (least + (count.lowerBound == 0 ? [[]] : [])).map { ids in
      choice(["ids": .array(ids.map { .string($0) })], ids.isEmpty ? "none" : ids.joined(separator: ", "))
    }
  }

  /// Returns the changes of answers under review: one for each screen that they were given on.
  private func changes(on screen: Screen, in state: TreeState) -> [FlowMove] {
    guard screen.progress == nil else { return [] }
    var seen: Set<ScreenID> = []
    return screen.review.compactMap { row in
      guard let id = row.screen, seen.insert(id).inserted else { return nil }
      let kind = FlowMove.Kind.event(ReviewRow.change, payload: ["id": .integer(Int64(clamping: id.number))])
      return FlowMove(kind: kind, place: state.place(of: ReviewRow.change), text: "change \(row.title)")
    }
  }

  private func moves(for action: Action, on screen: ShownScreen, in state: TreeState) -> [FlowMove] {
    let place = state.place(of: action.id)
    guard action.role == .primary, let form = screen.content.form else {
      return [FlowMove(kind: .event(action.id, payload: [:]), place: place, text: action.id)]
    }
    let given = (answers[screen.content.name] ?? []).filter { form.schema.check($0).isEmpty }
    let isComplete = triesOnlyAnswers && !given.isEmpty
    let generated = isComplete ? [] : PayloadCandidates(form: form, values: screen.content.values).payloads
    return (given + generated.prefix(payloadsPerForm).filter { !given.contains($0) }).map { payload in
      var shown = payload.mapValues(\.shortened)
      for field in form.schema.secretFields where shown[field] != nil { shown[field] = "•••" }
      let text = shown.isEmpty ? action.id : "\(action.id) \(JSONValue.object(shown).canonicalText)"
      return FlowMove(kind: .event(action.id, payload: payload), place: place, text: text)
    }
  }

  /// Returns the items to select: all if there are few, otherwise the first, the last, and some in between.
  private func chosen(of items: [Item]) -> [Item] {
    guard items.count > itemsPerList else { return items }
    guard itemsPerList > 1 else { return Array(items.prefix(itemsPerList)) }
    return (0..<itemsPerList).map { items[$0 * (items.count - 1) / (itemsPerList - 1)] }
  }
}

extension JSONValue {
  /// The value with long strings truncated, for display.
  fileprivate var shortened: JSONValue {
    guard case .string(let text) = self, text.count > 24 else { return self }
    return .string("\(text.prefix(16))… (\(text.count) characters)")
  }
}
