/// What comes of an operation.
package enum OperationReply: Sendable, Hashable {
  /// The entry is recorded: the script goes on with it.
  case recorded
  /// Whether the script has a mark of that name. Makes no entry if it has not.
  case patched(Bool)
  /// The script waits.
  case waiting
  /// The operation does not fit the log, and something was done since that cannot be taken back: the flow is held.
  case held(Misfit)
  /// The log has no room for it.
  case tooLong
  /// The operation cannot be.
  case mistake(ScriptCrash)
}

/// An operation that does not fit the log.
package struct Misfit: Error, Sendable, Hashable {
  /// The index of the entry that does not fit.
  package var entry: Int
  /// What is recorded there.
  package var recorded: LogEntry
  /// What the script wants now: its kind, its key, and where it stands.
  package var kind: String
  package var key: String
  package var place: String
  /// The effect at that place or behind it.
  package var effect: LogEntry

  /// Says what is wrong and what can be done, for the script's author.
  ///
  /// - Parameters:
  ///   - script: the name of the script's file.
  ///   - tree: the name of the flow tree.
  /// - Returns: the text, one line.
  package func text(script: String, tree: String) -> String {
    let place = place.isEmpty ? "" : " at \(place)"
    let old = recorded.place.isEmpty ? "" : " at \(recorded.place)"
    let done = effect == recorded ? "" : " Since then, \(effect.body.word) \"\(effect.key)\" was done."
    return "\(script) does not fit \(tree): recorded \(entry + 1). \(recorded.body.word) \"\(recorded.key)\"\(old);"
      + " now \(entry + 1). \(kind) \"\(key)\"\(place).\(done) A step cannot be undone by asking again."
      + " Undo the change, or let the script ask for patched(\"\(key)\") before the change;"
      + " then answer again, or if it is held: coordinatorctl provider retry \(tree); or dismiss it."
  }
}

extension LogEntry.Body {
  /// The kind of the operation, as the protocol calls it.
  package var word: String {
    switch self {
    case .ask: "ask"
    case .step(let step): step.isLook ? "look" : "step"
    case .value: "value"
    case .child: "child"
    case .timer: "timer"
    case .patch: "patch"
    }
  }
}

/// What comes of a script's end.
package enum EndReply: Sendable, Hashable {
  /// The coordinator ends.
  case ended
  /// The log begins anew.
  case again
  /// The script has left out something that was done.
  case held(Misfit)
}
