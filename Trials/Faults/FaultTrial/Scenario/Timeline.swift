import CrashTrial

/// The states of a flow tree after each of its transitions, known in advance, and the range of states that it may be in
/// now.
///
/// A value type that judges and makes no calls.
public struct Timeline: Sendable, Hashable {
  /// The token with which the tree is started, which is also the name of its root.
  public let token: String
  /// The flow of the tree's root.
  public let flow: String
  /// The states in order; in the first one the tree is unknown.
  public private(set) var standings: [Standing] = [.unknown]
  /// The index of the newest state that was acknowledged or seen.
  public private(set) var told = 0
  /// The index of the newest state that is possible.
  public private(set) var possible = 0
  /// Whether the call that leads to the next state was answered `NotStored`.
  public private(set) var isRefused = false

  /// Whether the possible states result from work, which may end at any time after it was started.
  private(set) var awaitsWork = false

  /// Creates a timeline for a tree that has not been started.
  public init(token: String, flow: String) { (self.token, self.flow) = (token, flow) }

  /// The newest state that was acknowledged or seen.
  public var standing: Standing { standings[told] }

  /// Whether it is unknown if the last call was carried out.
  public var isInDoubt: Bool { told != possible }

  /// Adds the state after one more transition, which was seen.
  mutating func append(_ standing: Standing) {
    standings.append(standing)
    (told, possible) = (standings.count - 1, standings.count - 1)
  }

  /// Returns the same timeline, before any call was made.
  func rewound() -> Timeline {
    var timeline = self
    (timeline.told, timeline.possible, timeline.isRefused) = (0, 0, false)
    return timeline
  }

  /// Records that a call is made.
  ///
  /// - Parameters:
  ///   - target: the index of the resulting state.
  ///   - isWork: whether the state results from work that the call starts.
  mutating func isCalled(towards target: Int, isWork: Bool = false) {
    (possible, isRefused, awaitsWork) = (max(possible, target), false, isWork)
  }

  /// Records that a call was answered.
  ///
  /// - Parameter target: the index of the resulting state.
  mutating func isAnswered(at target: Int) { (told, possible, isRefused) = (max(told, target), max(possible, target), false) }

  /// Records that a call was answered `NotStored`: it has not taken effect, and never will.
  mutating func isNotStored() { (possible, isRefused, awaitsWork) = (told, true, false) }

  /// Judges the observed state of the tree.
  ///
  /// - Parameter found: the state, as read from the next daemon or from one that has answered.
  /// - Throws: ``FaultViolation``.
  mutating func isFound(_ found: Standing) throws(FaultViolation) {
    if let place = (told...possible).first(where: { standings[$0] == found }) {
      told = place
      // A call in doubt was then not carried out, but work may still end later.
      if !awaitsWork { possible = told }
      return
    }
    throw FaultViolation(
      kind(of: found), of: token, expected: (told...possible).map { "\(standings[$0])" }.joined(separator: "\n   or "),
      found: "\(found)")
  }

  private func kind(of found: Standing) -> FaultViolation.Kind {
    if case .ended(.failed("not-restored", _, _)) = found { return .deleted }
    if let place = standings.lastIndex(of: found) {
      if place < told { return found == .unknown ? .deleted : .lost }
      return isRefused ? .falseNotStored : .doneTwice
    }
    return .other
  }
}

extension Timeline {
  /// Returns whether any state that the tree may be in satisfies a condition.
  func someStanding(_ condition: (Standing) -> Bool) -> Bool { standings[told...possible].contains(where: condition) }

  /// Returns whether all states that the tree may be in satisfy a condition.
  func everyStanding(_ condition: (Standing) -> Bool) -> Bool { standings[told...possible].allSatisfy(condition) }

  /// Returns whether a version of the daemon cannot restore the tree.
  func isHeld(by version: Script.Version) -> Bool {
    guard let flow = version.unknownFlow else { return false }
    return everyStanding { standing in
      if case .live(let view) = standing { view.nodes.values.contains { $0.flow == flow } } else { false }
    }
  }
}
