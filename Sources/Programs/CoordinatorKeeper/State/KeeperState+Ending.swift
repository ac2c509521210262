extension KeeperState {
  private static let mostKills = 25

  /// Begins to end the program and its descendants.
  mutating func end() -> [KeeperEffect] {
    if case .ended = visible { return [.leave] }
    guard ending == .no else { return [] }
    ending = .asked
    return [.terminate, .wait(.patience, milliseconds: times.patience)]
  }

  /// Continues to end the processes that have not ended yet.
  mutating func endFurther() -> [KeeperEffect] {
    guard !isChildless || programEnding == nil else { return [] }
    switch ending {
    case .no, .hungUp: return []
    case .asked:
      ending = .killed(1)
      return [.kill, .wait(.patience, milliseconds: times.kill)]
    // Processes that were just being started may have been missed.
    case .killed(let count) where count < Self.mostKills:
      ending = .killed(count + 1)
      // Processes that still run may belong to another user; hanging up the terminal reaches them.
      return [.kill] + (count == 2 ? [.hangUp] : []) + [.wait(.patience, milliseconds: times.kill)]
    case .killed:
      ending = .hungUp
      programEnding = programEnding ?? .outOfReach
      return []
    }
  }

  /// Ends the calls of processes that the program has left behind, because its terminal is about to be closed.
  mutating func closeShims() -> [KeeperEffect] {
    let ids = calls.keys.sorted()
    for id in ids { questions.removeAll { $0.asker.belongs(to: id) } }
    calls = [:]
    return ids.map { .close($0) }
  }
}
