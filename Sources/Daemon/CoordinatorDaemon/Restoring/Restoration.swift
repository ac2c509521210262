import CoordinatorJournal

/// The trees that are still to be restored after a restart, and the calls that wait for them.
///
/// A value type that decides; the host acts on its decisions. `Call` is the type of a waiting call.
struct Restoration<Call: Sendable>: Sendable {
  private enum Phase: Sendable {
    case reading
    case restoring
    case done
  }

  private var phase: Phase
  private var pending: [String: StoredRoot] = [:]
  /// The names of the pending trees that are being restored.
  private var underWay: Set<String> = []
  /// The names in the order in which the roots were started. Some may be restored already.
  private var order: ArraySlice<String> = []
  /// The names of trees that calls wait for.
  private var urgent: [String] = []
  private var waitingForNames: [Call] = []
  private var waitingForEverything: [Call] = []
  private var waiting: [String: [Call]] = [:]

  /// Creates a restoration. Without a journal, there is nothing to restore, and the restoration is done.
  init(hasJournal: Bool) { phase = hasJournal ? .reading : .done }

  /// Whether everything has been restored.
  var isDone: Bool { if case .done = phase { true } else { false } }

  /// Returns whether a call must wait for data that it needs.
  func isMissing(_ need: RestorationNeed) -> Bool {
    switch (phase, need) {
    case (.done, _), (_, .nothing): false
    case (.reading, _): true
    case (.restoring, .names): false
    case (.restoring, .root(let name)): pending[name] != nil
    case (.restoring, .everything): true
    }
  }

  /// Keeps a call until the data that it needs has been restored.
  mutating func hold(_ call: Call, for need: RestorationNeed) {
    switch (phase, need) {
    case (_, .everything): waitingForEverything.append(call)
    case (.restoring, .root(let name)):
      if waiting[name] == nil { urgent.append(name) }
      waiting[name, default: []].append(call)
    default: waitingForNames.append(call)
    }
  }

  /// Starts restoring roots.
  ///
  /// - Returns: the calls to deliver again, in order.
  mutating func begin(_ roots: [StoredRoot]) -> [Call] {
    phase = .restoring
    pending = Dictionary(roots.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    order = roots.map(\.name)[...]
    defer { waitingForNames = [] }
    return waitingForNames
  }

  /// Returns the roots to restore next, those that calls wait for first; empty if none is left.
  mutating func next(_ count: Int) -> [StoredRoot] {
    var result: [StoredRoot] = []
    func take(_ name: String) {
      if let root = pending[name], underWay.insert(name).inserted { result.append(root) }
    }
    urgent.forEach(take)
    urgent = []
    while result.count < count, let name = order.popFirst() { take(name) }
    return result
  }

  /// Removes a tree that has been restored or held.
  ///
  /// - Returns: the calls to deliver again, in order.
  mutating func hasEnded(_ name: String) -> [Call] {
    pending[name] = nil
    underWay.remove(name)
    return waiting.removeValue(forKey: name) ?? []
  }

  /// Ends the restoration.
  ///
  /// - Returns: the calls to deliver again, in order.
  mutating func end() -> [Call] {
    phase = .done
    (pending, order) = ([:], [])
    let calls = waitingForNames + waiting.sorted { $0.key < $1.key }.flatMap(\.value) + waitingForEverything
    (waitingForNames, waiting, waitingForEverything) = ([], [:], [])
    return calls
  }
}
