import DBus

/// Migrates states from an older version.
extension Passes {
  /// Migrates the states of an older version, and continues to ask.
  ///
  /// - Parameter old: the examiner of the older version after its walk.
  mutating func upgrade(from old: Examiner) async {
    var states: Set<[String]> = []
    for asked in old.asked.shuffled(using: &generator) where !asked.question.state.isEmpty && !examiner.hasGivenUp {
      let question = asked.question
      guard let new = examiner.flows[question.flow], let version = old.flows[question.flow]?.version else { continue }
      guard new.version > version else {
        log.found(
          .migrates, "version \(new.version) is not higher than the older version \(version), so that nothing is migrated",
          of: question.flow)
        continue
      }
      guard states.insert([question.flow, question.state]).inserted else { continue }
      let turn = examiner.nextTurn()
      log.tries(.migrates)
      let migration = question.asking("migrate", ["from": .uint32(version)])
      let reply = await examiner.ask(migration, turn: turn)
      guard case .decided(let decision) = examiner.examine(reply, to: migration, turn) else {
        log.found(
          .migrates, "the state of version \(version) was not migrated, but came to \(reply.text)", over: migration, turn: turn)
        continue
      }
      var next = question
      next.state = decision.state
      let nextTurn = examiner.nextTurn()
      if case .trouble(let trouble) = examiner.examine(await examiner.ask(next, turn: nextTurn), to: next, nextTurn) {
        log.found(.migrates, "it cannot go on from the migrated state: \(trouble)", over: next, turn: nextTurn)
      }
    }
    if states.isEmpty { log.couldNotTry("the upgrade, because both versions serve no common flow") }
  }
}
