/// The large answers that a connection owes: those that wait, and the one that is being made.
struct LargeAnswers {
  /// A call that waits for a large answer.
  struct Pending: Sendable {
    enum Making: Sendable {
      /// It is described at once.
      case described(@Sendable (isolated Connection) throws(DBusError) -> LargeAnswer)
      /// It is gathered from all objects of a source.
      case gathered(any ObjectSource)
    }
    let slot: ReplySlot
    let types: String?
    let making: Making
    /// How often it was made, and was not true any more then.
    var attempts = 0
  }

  var turns = AnswerTurns<Pending>()
  var kept: KeptAnswers<MadeAnswer>
  let maker = AnswerMaker()
  var gathering: Gathering?
  var forgets = false

  init(limits: MessageLimits) { kept = KeptAnswers(capacity: limits.keptAnswers) }

  var isEmpty: Bool { turns.isEmpty }
  /// Whether objects are gathered, or were and the answer is being made: what is told of objects meanwhile is told once more behind it.
  var isGathering: Bool { gathering != nil }

  /// Notes a signal to everybody that was sent.
  mutating func note(_ signal: Signal) { gathering?.note(signal) }
}
