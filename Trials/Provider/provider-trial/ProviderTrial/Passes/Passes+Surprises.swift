import CoordinatorBus
import DBus

/// Sends unexpected events, kills and pauses the provider, and calls it from other connections.
extension Passes {
  /// The events that no flow expects.
  private static let surprises: [(kind: String, rest: [String: Value])] = [
    ("x-provider-trial", [:]),
    ("work-ended", ["work": .string("x-1"), "value": .string("")]),
    ("work-ended", ["work": .string("x-1"), "error": .vardict(["type": .string("X"), "message": .string("")])]),
    ("timer", ["timer": .string("x")]),
    ("event", ["key": .string("x"), "name": .string("x"), "payload": .vardict([:]), "secrets": .strings([])]),
    ("back", ["key": .string("x")]),
    ("message", ["payload": .vardict([:])]),
    ("secrets-gone", ["secrets": .strings(["x"])]),
    ("looking", [:]), ("language", [:]),
  ]

  /// Asks about events that the flow cannot know. They must neither end the provider nor change its state.
  mutating func surprise() async {
    var situations: Set<[String]> = []
    let some = answered().filter {
      $0.question.kind != "start" && situations.insert([$0.question.flow] + $0.question.screens).inserted
    }
    for asked in some.prefix(12) where !examiner.hasGivenUp {
      await askUnknownScriptEvent(asked.question)
      for surprise in Self.surprises where !examiner.hasGivenUp {
        log.tries(.survives)
        _ = await examiner.ask(asked.question.asking(surprise.kind, surprise.rest), turn: examiner.nextTurn())
      }
      await ask(asked, again: .droppedAnswer, "after events out of place, it answered in another way")
    }
  }

  /// Any client may send an event without a screen, so the flow must ignore or refuse this one.
  private func askUnknownScriptEvent(_ question: Question) async {
    let question = question.asking(
      "script", ["name": .string("x-provider-trial"), "payload": .vardict([:]), "secrets": .strings([])])
    let turn = examiner.nextTurn()
    log.tries(.leavesUnknownEvents)
    switch await examiner.ask(question, turn: turn) {
    case .answer:
      log.found(.leavesUnknownEvents, "it took the event 'x-provider-trial', which it cannot know", over: question, turn: turn)
    case .error(let error): _ = examiner.examine(error, to: question, turn)
    case .gone, .silent, .dropped: break
    }
  }

  /// Asks about the loss of secrets, for each situation that had secrets.
  mutating func loseSecrets() async {
    var places: Set<String> = []
    var wereAny = false
    for asked in answered() where !examiner.hasGivenUp {
      let question = asked.question
      let kept = question.context["secrets"]?.elements?.compactMap(\.string) ?? []
      if !kept.isEmpty, places.insert("kept \(question.flow) \(question.screens)").inserted {
        wereAny = true
        var lost = question.asking("secrets-gone", ["secrets": .strings(kept)])
        lost.context["secrets"] = .strings([])
        await ask(lost, .takesLostSecrets)
      }
      if question.kind == "work-ended", let work = question.event["work"]?.string,
        examiner.works.contains(where: { $0.flow == question.flow && $0.hasKind(of: work) && !$0.secrets.isEmpty }),
        places.insert("work \(question.flow) \(question.screens)").inserted
      {
        wereAny = true
        await ask(question.asking("work-interrupted", ["work": .string(work)]), .takesLostSecrets)
      }
    }
    if !wereAny { log.couldNotTry("the loss of secrets, because no flow keeps any or gives one to work") }
  }

  /// Asks a question that must be answered with a decision.
  private func ask(_ question: Question, _ check: Check) async {
    let turn = examiner.nextTurn()
    log.tries(check)
    let reply = await examiner.ask(question, turn: turn)
    guard case .error(let error) = reply else { return _ = examiner.examine(reply, to: question, turn) }
    log.found(check, "it answered with the error \(error)", over: question, turn: turn)
  }

  /// Kills the provider while it decides, and asks the next process under the same turn.
  mutating func killWhileDeciding() async {
    for asked in oneOfEach(3) where !examiner.hasGivenUp {
      let turn = examiner.nextTurn()
      let (stage, examiner) = (stage, examiner)
      async let dropped = stage.decide(asked.question, turn: turn, deadline: .seconds(5))
      // Whether the answer is sent before the kill is random; the provider must support both.
      try? await Task.sleep(for: .microseconds(Int64.random(in: 0...2000, using: &generator)))
      await stage.kill()
      _ = await dropped
      guard await restart() else { return }
      let reply = await examiner.ask(asked.question, turn: turn)
      await compare(reply, asked, turn, .freshProcess, "killed while it decided, it answered in another way afterwards")
    }
  }

  /// Stops the provider until the daemon has given up, and then continues to ask.
  mutating func pause() async {
    for asked in oneOfEach(2) where !examiner.hasGivenUp {
      log.tries(.survivesPause)
      let turn = examiner.nextTurn()
      stage.signal(Signals.stop)
      let late = await stage.decide(asked.question, turn: turn, deadline: .milliseconds(300))
      stage.signal(Signals.goOn)
      if late == .gone { log.found(.survivesPause, "it ended while it was stopped", over: asked.question, turn: turn) }
      let reply = await examiner.ask(asked.question, turn: turn)
      if reply == .gone {
        log.found(.survivesPause, "it ended when it went on after a pause", over: asked.question, turn: turn)
      }
      await compare(reply, asked, turn, .survivesPause, "after a pause, it answered in another way")
      await ask(asked, again: .survivesPause, "after a pause, it answered the next question in another way")
    }
  }

  /// Asks and requests work from a connection that is not the daemon's.
  mutating func sendStrangers() async {
    guard let stranger = try? await stage.stranger(), let asked = answered().first else { return }
    log.tries(.refusesStrangers)
    let turn = examiner.nextTurn()
    if case .answer = await stage.decide(asked.question, turn: turn, deadline: .seconds(5), from: stranger) {
      log.found(.refusesStrangers, "it decided for a program that is not the daemon", over: asked.question, turn: turn)
    }
    if let work = examiner.works.first {
      let ticket = Ticket(instance: "/provider-trial@1", work: work.id)
      if case .answer = await stage.perform(work, for: ticket, from: stranger) {
        log.found(.refusesStrangers, "it began work for a program that is not the daemon", of: work.flow)
      }
    }
    await stranger.close()
  }
}

extension PerformedWork {
  /// Returns whether an id names work of the same kind.
  func hasKind(of id: String) -> Bool { self.id.filter { !$0.isNumber } == id.filter { !$0.isNumber } }
}
