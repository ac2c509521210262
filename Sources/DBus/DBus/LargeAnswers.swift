/// The large answers that a connection owes: those that wait, and the one that is being made.
struct LargeAnswers {
  /// A call that waits for a large answer.
  struct Pending: Sendable {
    enum Making: Sendable {
      /// Made from a description that is available immediately.
      case described(@Sendable (isolated Connection) throws(DBusError) -> LargeAnswer)
      /// Gathered from all objects of a source.
      case gathered(any ObjectSource)
    }
    let slot: ReplySlot
    let types: String?
    let making: Making
    /// How often the answer was outdated by the time it had been made.
    var attempts = 0
  }

  var turns = AnswerTurns<Pending>()
  var kept: KeptAnswers<MadeAnswer>
  let maker = AnswerMaker()
  var gathering: Gathering?
  var forgets = false

  init(limits: MessageLimits) { kept = KeptAnswers(capacity: limits.keptAnswers) }

  var isEmpty: Bool { turns.isEmpty }
  /// Whether objects are being gathered, or the answer is being made from them. Signals about objects sent meanwhile
  /// are repeated after the answer.
  var isGathering: Bool { gathering != nil }

  /// Records a signal that has been sent, to everyone or to one client.
  mutating func note(_ signal: Signal, to destination: String?) { gathering?.note(signal, to: destination) }
}
