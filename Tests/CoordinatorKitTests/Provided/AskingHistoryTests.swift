import Testing

@testable import CoordinatorKit

@Suite("P12: The results of asking about an event", .timeLimit(.minutes(1)))
struct AskingHistoryTests {
  private static let instance = FlowInstance(flow: "pets", path: CoordinatorPath(root: "pets_1"), startedAt: 1)
  private static let first = ServingProgram(name: "com.example.Pets", version: 1, digest: "first")

  private func begun() -> AskingHistory {
    var history = AskingHistory()
    history.begin(for: Self.instance)
    return history
  }

  /// Asks a program that dies.
  ///
  /// - Returns: whether it is to be asked again.
  private func isAskedAgain(_ history: inout AskingHistory) -> Bool {
    history.ask(Self.first)
    return history.dies()
  }

  /// The history after a program was asked and has failed, a number of times.
  private func failed(_ times: Int, _ program: ServingProgram = first) -> AskingHistory {
    var history = begun()
    for _ in 0..<times {
      history.ask(program)
      history = history.failed()
    }
    return history
  }

  @Test("The first death does not count, and the third that counts is the last")
  func deaths() {
    var history = begun()
    let answers = (0..<4).map { _ in isAskedAgain(&history) }
    #expect(answers == [true, true, true, false])
    #expect(history.isSuspect)
    #expect(!history.isExhausted)
    #expect(history.failed().isExhausted)
  }

  @Test("Deaths, time-outs and answers that cannot be used count together")
  func together() {
    var history = failed(1)
    let answers = (0..<3).map { _ in isAskedAgain(&history) }
    #expect(answers == [true, true, false])
    #expect(!history.isExhausted)
    #expect(history.failed().isExhausted)
    #expect(failed(3).isExhausted)
    #expect(!failed(2).isExhausted)
  }

  @Test("What has only waited for its turn has not failed, not even if its provider died before")
  func waited() {
    var history = begun()
    for _ in 0..<5 {
      history = history.failed()
      history.ask(Self.first)
      history.wasNotAsked()
    }
    #expect(!history.isSuspect)
    let isFirst = isAskedAgain(&history)
    #expect(isFirst)
    for _ in 0..<5 { history = history.failed() }
    #expect(!history.isExhausted)
  }

  @Test("A new process of the same program continues the count; a changed program restarts it, and is asked alone")
  func programs() {
    var same = failed(2)
    same.ask(Self.first)
    #expect(same.failed().isExhausted)
    // It has not registered yet, so that its digest is not known.
    var unknown = failed(2)
    unknown.ask(ServingProgram(name: Self.first.name, version: 1))
    #expect(unknown.program == Self.first)
    #expect(unknown.failed().isExhausted)
    for changed in [
      ServingProgram(name: Self.first.name, version: 2, digest: "first"),
      ServingProgram(name: Self.first.name, version: 1, digest: "second"),
    ] {
      var history = failed(2)
      history.ask(Self.first)
      _ = history.dies()
      history.ask(changed)
      #expect(history.isSuspect)
      #expect(!history.failed().isExhausted)
    }
  }

  @Test("Another coordinator restarts the count; an event that an administrator retries keeps its suspects")
  func others() {
    var history = failed(3)
    history.begin(for: FlowInstance(flow: "pets", path: CoordinatorPath(root: "pets_2"), startedAt: 1))
    #expect(!history.isExhausted)
    var suspect = failed(2)
    suspect.ask(Self.first)
    _ = suspect.dies()
    #expect(suspect.renewed().isSuspect)
    #expect(!failed(3).renewed().isExhausted)
    #expect(failed(3).renewed().program == Self.first)
  }

  @Test("A changed program ends a hold, but another process, another name or an absent provider does not")
  func holds() {
    var asked = failed(2)
    asked.ask(Self.first)
    let hold = Hold(.provider(.failed("bug"), asked), after: nil)
    #expect(hold.delay == nil)
    func ends(_ server: ServingProgram?) -> Bool { hold.ends { $0 == "pets" ? server : nil } }
    #expect(!ends(nil))
    #expect(!ends(Self.first))
    #expect(!ends(ServingProgram(name: Self.first.name, version: 1)))
    #expect(!ends(ServingProgram(name: "com.example.Other", version: 2, digest: "second")))
    #expect(ends(ServingProgram(name: Self.first.name, version: 1, digest: "second")))
    #expect(ends(ServingProgram(name: Self.first.name, version: 2, digest: "first")))
    #expect(Hold(.provider(.failed("bug"), failed(1)), after: nil).ends { _ in nil })
    // Another coordinator is in the way now: the program that had failed has answered.
    #expect(Hold(.otherHold("the parent is held"), after: hold).delay != nil)
  }
}
