extension KeeperState {
  private static let mostKills = 25

  /// Begins to end everything that the program has started.
  mutating func end() -> [KeeperEffect] {
    if case .ended = visible { return [.leave] }
    guard ending == .no else { return [] }
    ending = .asked
    return [.terminate, .wait(.patience, milliseconds: times.patience)]
  }

  /// Goes on to end what was asked to, and has not.
  mutating func endFurther() -> [KeeperEffect] {
    guard !isChildless || programEnding == nil else { return [] }
    switch ending {
    case .no, .hungUp: return []
    case .asked:
      ending = .killed(1)
      return [.kill, .wait(.patience, milliseconds: times.kill)]
    // Processes that were being started may have been missed.
    case .killed(let count) where count < Self.mostKills:
      ending = .killed(count + 1)
      // What does not end now may belong to another user, whom the end of the terminal reaches.
      return [.kill] + (count == 2 ? [.hangUp] : []) + [.wait(.patience, milliseconds: times.kill)]
    case .killed:
      ending = .hungUp
      programEnding = programEnding ?? .outOfReach
      return []
    }
  }

  /// Ends the calls of what the program has left behind: its terminal is about to go.
  mutating func closeShims() -> [KeeperEffect] {
    let ids = calls.keys.sorted()
    for id in ids { questions.removeAll { $0.asker.belongs(to: id) } }
    calls = [:]
    return ids.map { .close($0) }
  }
}
