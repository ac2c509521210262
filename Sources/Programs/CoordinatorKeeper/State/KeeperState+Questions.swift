import Forms
import ProgramQuestions

extension KeeperState {
  /// Appends a question to the open ones.
  mutating func ask(_ question: ProgramQuestion, _ asker: OpenQuestion.Asker) -> [KeeperEffect] {
    lastQuestion += 1
    let open = OpenQuestion(id: QuestionID(lastQuestion), asker: asker, question: question)
    questions.append(open)
    display = nil
    guard let timeout = question.timeout, timeout > 0 else { return [] }
    // A timeout longer than a year is treated as infinite.
    return [.wait(.unanswered(open.id), milliseconds: min(timeout, 31_536_000) * 1_000)]
  }

  /// Passes an answer to the call, connection or terminal that waits for it.
  mutating func answer(_ id: QuestionID, _ answer: ProgramAnswer, replyingTo control: ConnectionID) -> [KeeperEffect] {
    let text = id.text(of: program)
    guard let index = questions.firstIndex(where: { $0.id == id }) else {
      return reply(control, taken.contains(id) ? ControlReply.taken(text) : ControlReply.stale(text))
    }
    let open = questions[index]
    if answer == .back, !open.question.allowsBack {
      return reply(control, ControlReply.refused(text, "the program cannot go back from this question"))
    }
    do throws(AnswerRefusal) {
      let effects = try give(answer, to: open)
      return reply(control, ControlReply.taken(text)) + effects
    } catch { return reply(control, ControlReply.refused(text, error.reason)) }
  }

  /// The reason why the question stays open.
  private struct AnswerRefusal: Error { let reason: String }

  private mutating func give(_ answer: ProgramAnswer, to open: OpenQuestion) throws(AnswerRefusal) -> [KeeperEffect] {
    switch open.asker {
    case .call(let id):
      guard let effects = calls[id]?.answer(answer) else {
        throw AnswerRefusal(reason: "the screen does not offer this event")
      }
      take(away: open.id)
      return obey(effects, of: id)
    case .debconf(let id, let block):
      var effects: [DebconfEffect] = []
      do throws(DebconfAnswerError) {
        effects = try debconfs[id]?.answer(answer, to: block, remembering: &memory) ?? []
      } catch { throw AnswerRefusal(reason: "\(error)") }
      take(away: open.id)
      return obey(effects, of: id)
    case .terminal(let prompt):
      guard let keys = prompt.keys(for: answer) else { throw AnswerRefusal(reason: "the screen does not offer this event") }
      take(away: open.id)
      tail.answered()
      return [.type(keys)]
    }
  }

  /// Closes an answered question.
  private mutating func take(away id: QuestionID) {
    questions.removeAll { $0.id == id }
    taken.insert(id)
    // Clients repeat an answer only soon after they sent it, so old ids can be forgotten.
    if taken.count > 4_096 { taken = taken.filter { $0.number > id.number - 1_024 } }
  }

  /// Answers a question whose timeout has passed.
  mutating func timePassed(_ id: QuestionID) -> [KeeperEffect] {
    guard let open = questions.first(where: { $0.id == id }), case .call(let call) = open.asker else { return [] }
    questions.removeAll { $0.id == id }
    return obey(calls[call]?.answer(.event("timeout", payload: [:], secrets: [:])) ?? [], of: call)
  }
}
