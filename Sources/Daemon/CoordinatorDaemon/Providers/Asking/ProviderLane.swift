import DequeModule

/// The questions to one provider: so many are asked at once, and the others wait in the order in which they came. Each tree
/// asks one question at a time, so this is fair by tree.
///
/// After the death of a provider, what it was asked is asked again alone, so that it is known which question kills it. A
/// value that decides; its owner waits.
struct ProviderLane<Ticket: Hashable & Sendable>: Sendable {
  private struct Waiting: Sendable {
    let ticket: Ticket
    let isAlone: Bool
  }

  /// How many questions the provider is asked at once.
  var width: Int
  private var asked: Set<Ticket> = []
  private var isAskedAlone = false
  private var waiting: Deque<Waiting> = []

  /// Creates a lane without questions.
  init(width: Int) { self.width = max(1, width) }

  /// Whether there are no questions.
  var isEmpty: Bool { asked.isEmpty && waiting.isEmpty }

  /// Whether another question would have to wait.
  var isFull: Bool { isAskedAlone || asked.count >= width }

  /// Adds a question.
  ///
  /// - Parameters:
  ///   - ticket: the question.
  ///   - isAlone: whether it may only be asked while no other is. It then goes before those that may be asked together,
  ///     unless it is patient.
  ///   - isPatient: whether it keeps its place behind those that have come before.
  /// - Returns: the questions that may be asked now.
  mutating func enter(_ ticket: Ticket, isAlone: Bool = false, isPatient: Bool = false) -> [Ticket] {
    let index = isAlone && !isPatient ? waiting.firstIndex { !$0.isAlone } ?? waiting.endIndex : waiting.endIndex
    waiting.insert(Waiting(ticket: ticket, isAlone: isAlone), at: index)
    return admit()
  }

  /// Removes a question that was answered or given up.
  ///
  /// - Parameter ticket: the question.
  /// - Returns: the questions that may be asked now.
  mutating func leave(_ ticket: Ticket) -> [Ticket] {
    if asked.remove(ticket) != nil {
      isAskedAlone = false
    } else {
      waiting.removeAll { $0.ticket == ticket }
    }
    return admit()
  }

  private mutating func admit() -> [Ticket] {
    var admitted: [Ticket] = []
    while let next = waiting.first, !isFull, !next.isAlone || asked.isEmpty {
      waiting.removeFirst()
      asked.insert(next.ticket)
      isAskedAlone = next.isAlone
      admitted.append(next.ticket)
    }
    return admitted
  }
}
