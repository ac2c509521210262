import CrashTrial

/// How a flow tree stands after each of its transitions, known beforehand, and where in this it may be now.
///
/// A value that judges: it makes no call itself.
public struct Timeline: Sendable, Hashable {
  /// The token that the tree is started with, and the name of its root.
  public let token: String
  /// The flow that it is a tree of.
  public let flow: String
  /// How it stands: at first nobody knows it.
  public private(set) var standings: [Standing] = [.unknown]
  /// The place of the newest standing that was acknowledged, or seen.
  public private(set) var told = 0
  /// The place of the newest one that there may be.
  public private(set) var possible = 0
  /// Whether what comes next was asked for, and answered with NotStored.
  public private(set) var isRefused = false

  /// Whether work leads to what is possible, which may end at any time after it was asked for.
  private(set) var awaitsWork = false

  /// A tree that is not started.
  public init(token: String, flow: String) { (self.token, self.flow) = (token, flow) }

  /// How it stands by all that was told.
  public var standing: Standing { standings[told] }

  /// Whether it is not known whether the last call was carried out.
  public var isInDoubt: Bool { told != possible }

  /// Adds how it stands after one more transition, which was seen.
  mutating func append(_ standing: Standing) {
    standings.append(standing)
    (told, possible) = (standings.count - 1, standings.count - 1)
  }

  /// The same tree, before anybody has done anything.
  func rewound() -> Timeline {
    var timeline = self
    (timeline.told, timeline.possible, timeline.isRefused) = (0, 0, false)
    return timeline
  }

  /// Notes that a call is made.
  ///
  /// - Parameters:
  ///   - target: The place of the standing that it leads to.
  ///   - isWork: Whether work does, which it starts.
  mutating func isCalled(towards target: Int, isWork: Bool = false) {
    (possible, isRefused, awaitsWork) = (max(possible, target), false, isWork)
  }

  /// Notes that a call was answered.
  ///
  /// - Parameter target: The place of the standing that it has led to.
  mutating func isAnswered(at target: Int) { (told, possible, isRefused) = (max(told, target), max(possible, target), false) }

  /// Notes that a call was answered NotStored: it has not happened, and never will.
  mutating func isNotStored() { (possible, isRefused, awaitsWork) = (told, true, false) }

  /// Compares with how the tree is found.
  ///
  /// - Parameter found: What was read: by the next daemon, or by one that has answered.
  /// - Throws: ``FaultViolation``.
  mutating func isFound(_ found: Standing) throws(FaultViolation) {
    if let place = (told...possible).first(where: { standings[$0] == found }) {
      told = place
      // A call in doubt was not carried out, then; but work may do the rest later.
      if !awaitsWork { possible = told }
      return
    }
    throw FaultViolation(
      kind(of: found), of: token, expected: (told...possible).map { "\(standings[$0])" }.joined(separator: "\n   or "),
      found: "\(found)")
  }

  private func kind(of found: Standing) -> FaultViolation.Kind {
    if case .ended(.failed("not-restored", _)) = found { return .deleted }
    if let place = standings.lastIndex(of: found) {
      if place < told { return found == .unknown ? .deleted : .lost }
      return isRefused ? .falseNotStored : .doneTwice
    }
    return .other
  }
}

extension Timeline {
  /// Whether one of the ways in which it may stand is like this.
  func someStanding(_ condition: (Standing) -> Bool) -> Bool { standings[told...possible].contains(where: condition) }

  /// Whether all of them are.
  func everyStanding(_ condition: (Standing) -> Bool) -> Bool { standings[told...possible].allSatisfy(condition) }

  /// Whether a daemon of some version cannot take it up.
  func isHeld(by version: Script.Version) -> Bool {
    guard let flow = version.unknownFlow else { return false }
    return everyStanding { standing in
      if case .live(let view) = standing { view.nodes.values.contains { $0.flow == flow } } else { false }
    }
  }
}
