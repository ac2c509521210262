import CoordinatorKit
import DBus
import TestBus

/// Runs the passes after the walk, with the questions and the work that the walk has found.
struct Passes {
  let examiner: Examiner
  /// Another process of the provider, on a private bus.
  let witness: Stage
  var generator: SeededGenerator

  /// The maximum number of questions that are asked in another order, in pairs, and of fresh processes.
  static let mostInOrder = 200
  static let mostPairs = 100
  static let mostFresh = 12

  var stage: Stage { examiner.stage }
  var log: TrialLog { examiner.log }

  /// Returns the questions that were answered or refused, in a random order.
  mutating func answered() -> [AskedQuestion] {
    let all = examiner.asked.filter { $0.reply.isThere }
    return all.shuffled(using: &generator)
  }

  /// Returns one question of each kind, screen and event, in a random order.
  mutating func oneOfEach(_ most: Int) -> [AskedQuestion] {
    var places: Set<String> = []
    let each = answered().filter { places.insert($0.question.flow + $0.question.place).inserted }
    return Array(each.prefix(most))
  }

  /// Asks a question again, and compares the reply with the earlier one.
  ///
  /// An answer may depend on the turn, which is an argument: a fresh process then gives the same one.
  func ask(_ asked: AskedQuestion, again check: Check, _ how: String) async {
    let turn = examiner.nextTurn()
    log.tries(check)
    let reply = await examiner.ask(asked.question, turn: turn)
    await compare(reply, asked, turn, check, how)
  }

  /// Compares a reply with the earlier one to the same question.
  func compare(_ reply: Reply, _ asked: AskedQuestion, _ turn: UInt64, _ check: Check, _ how: String) async {
    guard reply.isThere, reply.canonical != asked.reply.canonical else { return }
    guard await reference(asked.question, turn)?.canonical != reply.canonical else { return }
    log.found(check, "\(how): \(reply.difference(from: asked.reply))", over: asked.question, turn: turn)
  }

  /// Returns the reply of a process that has received no other question; nil if there is none.
  private func reference(_ question: Question, _ turn: UInt64) async -> Reply? {
    do { try await witness.restart() } catch { return nil }
    let deadline = examiner.flows[question.flow]?.deadline ?? .seconds(5)
    return await witness.decide(question, turn: turn, deadline: deadline)
  }

  // MARK: Deciding

  /// Asks the questions of all instances in a random order.
  mutating func askInAnyOrder() async {
    for asked in answered().prefix(Self.mostInOrder) where !examiner.hasGivenUp {
      await ask(asked, again: .anyOrder, "asked after questions about other states, it answered in another way")
    }
  }

  /// Asks about one event, drops the answer, and asks about another event in the same state.
  mutating func dropAnswers() async {
    var states: [[String]: [AskedQuestion]] = [:]
    for asked in answered() {
      let question = asked.question
      states[[question.flow, question.state, question.screens.joined(separator: "\n")], default: []].append(asked)
    }
    var pairs: [(AskedQuestion, AskedQuestion)] = []
    for state in states.values {
      for (index, asked) in state.enumerated() where state.count > 1 {
        var dropped = state[(index + 1) % state.count]
        dropped = AskedQuestion(
          question: dropped.question.of(asked.question.instance), turn: 0, reply: dropped.reply, decision: nil)
        pairs.append((dropped, asked))
      }
    }
    pairs.shuffle(using: &generator)
    if pairs.isEmpty { log.couldNotTry("dropped answers, because no state was asked about two events") }
    for (dropped, asked) in pairs.prefix(Self.mostPairs) where !examiner.hasGivenUp {
      _ = await examiner.ask(dropped.question, turn: examiner.nextTurn())
      await ask(
        asked, again: .droppedAnswer,
        "after an answer to '\(dropped.question.place)' that was dropped, it answered in another way"
      )
    }
  }

  /// Asks several questions at once.
  mutating func askSideBySide() async {
    for round in 0..<4 where !examiner.hasGivenUp {
      let some = Array(answered().prefix(16))
      guard some.count > 1 else { return log.couldNotTry("questions side by side, because there are too few") }
      let examiner = examiner
      let replies = await withTaskGroup(of: (Int, UInt64, Reply).self) { group in
        for (index, asked) in some.enumerated() {
          // Separate instances, because one instance is asked one question at a time.
          let question = asked.question.of("\(asked.question.instance)\(round)\(index)")
          group.addTask {
            let turn = examiner.nextTurn()
            return (index, turn, await examiner.ask(question, turn: turn))
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      for (index, turn, reply) in replies {
        log.tries(.sideBySide)
        await compare(
          reply, some[index].inInstance("\(some[index].question.instance)\(round)\(index)"), turn, .sideBySide,
          "asked together with other questions, it answered in another way")
      }
    }
  }

  /// Asks processes that have received no other question.
  mutating func askFreshProcesses() async {
    for asked in oneOfEach(Self.mostFresh) where !examiner.hasGivenUp {
      guard await restart() else { return }
      log.tries(.freshProcess)
      let reply = await examiner.ask(asked.question, turn: asked.turn)
      guard reply.isThere, reply.canonical != asked.reply.canonical else { continue }
      log.found(
        .freshProcess, "a process that was just started answered in another way: \(reply.difference(from: asked.reply))",
        over: asked.question, turn: asked.turn)
    }
  }

  /// Starts the provider again, and returns whether it serves.
  func restart() async -> Bool {
    log.tries(.comesBack)
    do {
      try await stage.restart()
      return true
    } catch {
      log.found(.comesBack, "killed by SIGKILL and started again, it did not come back: \(error)")
      return false
    }
  }
}

extension Question {
  /// Returns the same question about another instance.
  func of(_ instance: String) -> Question {
    var question = self
    question.instance = instance
    return question
  }
}

extension AskedQuestion {
  /// Returns the same question and reply with the instance renamed in both.
  func inInstance(_ instance: String) -> AskedQuestion {
    AskedQuestion(question: question.of(instance), turn: turn, reply: reply, decision: decision)
  }
}
