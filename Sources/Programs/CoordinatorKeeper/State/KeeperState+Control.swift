import Forms
import ProgramQuestions

extension KeeperState {
  mutating func receive(fromControl id: ConnectionID, _ bytes: [UInt8]) -> [KeeperEffect] {
    var effects: [KeeperEffect] = []
    controls[id]?.lines.append(bytes)
    while let line = controls[id]?.lines.popLine() {
      do throws(ControlError) {
        effects += take(try ControlRequest(line), from: id)
      } catch {
        controls[id] = nil
        return effects + [.send(id, ControlReply.line(ControlReply.error(error))), .close(id)]
      }
    }
    return effects
  }

  private mutating func take(_ request: ControlRequest, from id: ConnectionID) -> [KeeperEffect] {
    controls[id]?.hasSpoken = true
    switch request {
    case .watch(let sequence):
      controls[id]?.watches = sequence
      let effects = tell(id)
      // A new watcher receives the current progress at once.
      return effects.isEmpty && visible == .working ? [.send(id, ControlReply.line(["progress": progress]))] : effects
    case .answer(let text, let answer):
      guard let question = QuestionID(text, of: program) else { return reply(id, ControlReply.stale(text)) }
      return self.answer(question, answer, replyingTo: id)
    case .cancel:
      var isCancelled = false
      for connection in debconfs.keys where debconfs[connection]?.cancelProgress() == true { isCancelled = true }
      return reply(id, ["cancelling": .boolean(isCancelled)])
    case .end:
      if case .ended = visible {
        isFetched = true
        return reply(id, ["ending": true])
      }
      return reply(id, ["ending": true]) + end()
    }
  }

  func reply(_ id: ConnectionID, _ message: JSONValue) -> [KeeperEffect] { [.send(id, ControlReply.line(message))] }

  /// Sends the current state to all watchers.
  mutating func tellWatchers() -> [KeeperEffect] {
    controls.keys.sorted().flatMap { tell($0) }
  }

  /// Sends the current state to a connection, if it is newer than the state that the connection knows. A number that has not
  /// been reached yet is from an earlier keeper.
  private mutating func tell(_ id: ConnectionID) -> [KeeperEffect] {
    guard let watches = controls[id]?.watches, sequence != watches else { return [] }
    controls[id]?.watches = nil
    let number = JSONValue.integer(Int64(clamping: sequence))
    switch visible {
    case .working: return reply(id, ["sequence": number, "working": progress])
    case .asking:
      guard let first = questions.first else { return [] }
      return reply(id, ControlReply.question(first, of: program, sequence: sequence))
    case .ended(let ending):
      controls[id]?.hasEnd = true
      let lines = tail.lines(rows).map { JSONValue.string($0) }
      var end: [String: JSONValue] = ["sequence": number, "ended": ending.json, "lines": .array(lines)]
      if tail.hasMore(than: rows) { end["cut"] = true }
      if !troubles.isEmpty { end["troubles"] = .array(troubles.map { .string($0) }) }
      return reply(id, .object(end))
    }
  }
}
