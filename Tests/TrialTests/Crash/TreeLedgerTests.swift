import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus
import Testing

@Suite("What a client knows of a tree", .timeLimit(.minutes(5)))
struct TreeLedgerTests {
  /// A tree at revision 2 whose client is about to take it to revision 3.
  private var ledger = TreeLedger(token: "client1_1_shop_1", flow: "shop")

  init() throws {
    ledger.prepares(Self.call("StartFlow"), answer: Self.paths, after: Self.standing(1), revision: 1)
    ledger.calls()
    try ledger.isAnswered(Self.paths)
    ledger.prepares(Self.call("Delegate"), answer: [.uint64(2)], after: Self.standing(2), revision: 2)
    ledger.calls()
    try ledger.isAnswered([.uint64(2)])
    ledger.prepares(Self.call("Delegate"), answer: [.uint64(3)], after: Self.standing(3), revision: 3)
  }

  @Test("The acknowledged state of a tree must be there, and nothing else")
  func acknowledgedStateIsRequired() throws {
    var ledger = ledger
    #expect(ledger.revisions == [1, 2])
    #expect(try ledger.isFound(Self.standing(2)) == .nothing)
    #expect(Self.kind { try ledger.isFound(Self.standing(1)) } == .lost)
    #expect(Self.kind { try ledger.isFound(.unknown) } == .lost)
    // The call is prepared, but has not been made.
    #expect(Self.kind { try ledger.isFound(Self.standing(3)) } == .doneTwice)
    #expect(Self.kind { try ledger.isFound(.ended(.cancelled)) } == .doneTwice)
    #expect(Self.kind { try ledger.isFound(Self.standing(2, title: "Another")) } == .different)
    #expect(Self.kind { try ledger.isFound(Self.standing(2, children: ["/b", "/a"])) } == .different)
  }

  @Test("A call in doubt was done or was not, and nothing in between")
  func doubtfulCallIsDoneOrNot() throws {
    var ledger = ledger
    ledger.calls()
    #expect(Self.kind { try ledger.isFound(Self.standing(1)) } == .lost)
    #expect(Self.kind { try ledger.isFound(Self.standing(4)) } == .doneTwice)
    #expect(Self.kind { try ledger.isFound(Self.standing(3, title: "Half")) } == .different)
    var done = ledger
    #expect(try done.isFound(Self.standing(3)) == .done)
    #expect(try ledger.isFound(Self.standing(2)) == .notDone)
  }

  @Test("What was done stays done, and what was not done needs another call")
  func settledDoubtIsFinal() throws {
    var (done, notDone) = (ledger, ledger)
    done.calls()
    _ = try done.isFound(Self.standing(3))
    #expect(try done.isFound(Self.standing(3)) == .nothing)
    #expect(Self.kind { try done.isFound(Self.standing(2)) } == .lost)
    notDone.calls()
    _ = try notDone.isFound(Self.standing(2))
    #expect(try notDone.isFound(Self.standing(2)) == .nothing)
    #expect(Self.kind { try notDone.isFound(Self.standing(3)) } == .doneTwice)
    notDone.calls()
    #expect(try notDone.isFound(Self.standing(3)) == .done)
  }

  @Test("A state that a signal has announced must be stored")
  func signaledStateIsRequired() throws {
    var ledger = ledger
    ledger.calls()
    #expect(Self.kind { try ledger.isFound(Self.standing(2), heard: 3) } == .lost)
    #expect(try ledger.isFound(Self.standing(3), heard: 3) == .done)
    #expect(Self.kind { try ledger.isFound(Self.standing(3), heard: 4) } == .lost)
  }

  @Test("A repeated call has the answer that it would have had the first time")
  func repeatedCallHasTheSameAnswer() throws {
    var ledger = ledger
    ledger.calls()
    _ = try ledger.isFound(Self.standing(3))
    ledger.calls()
    #expect(Self.kind { try ledger.isAnswered([.uint64(4)]) } == .doneTwice)
    #expect(Self.kind { try ledger.isAnswered([.uint64(2)]) } == .lost)
    #expect(Self.kind { try ledger.isAnswered(Self.paths) } == .different)
    try ledger.isAnswered([.uint64(3)])
    #expect(ledger.doubt == nil)
    #expect(ledger.revisions == [1, 2, 3])
  }

  @Test(
    "A basket holds exactly what was added to it",
    arguments: [(1, .lost), (2, nil), (3, .doneTwice)] as [(Int64, Violation.Kind?)])
  func basketHoldsWhatWasAdded(sold: Int64, violation: Violation.Kind?) throws {
    var ledger = TreeLedger(token: "client1_1_shop_1", flow: "shop")
    for revision in UInt64(1)...2 {
      let call = Self.call("Delegate", [.uint64(1), .string("add-to-basket")])
      ledger.prepares(call, answer: [.uint64(revision)], after: Self.standing(revision), revision: revision)
      ledger.calls()
      try ledger.isAnswered([.uint64(revision)])
    }
    let end = FlowEnd.finished(["basket": ["lamp": .integer(sold)]])
    ledger.prepares(Self.call("Delegate"), answer: [.uint64(3)], after: .ended(end), revision: 3)
    ledger.calls()
    #expect(Self.kind { try ledger.isAnswered([.uint64(3)]) } == violation)
    #expect(ledger.isOver)
  }

  // MARK: Sequels of calls

  /// Returns a tree at revision 3 in which work runs that ends at revision 4.
  private func busy(_ kind: Sequel.Kind, isAnswered: Bool = true) throws -> TreeLedger {
    var ledger = ledger
    ledger.prepares(Self.call("Delegate"), answer: [.uint64(3)], after: Self.standing(3), revision: 3, sequel: kind)
    ledger.calls()
    if isAnswered { try ledger.isAnswered([.uint64(3)]) }
    return ledger
  }

  @Test("Work ends exactly once, and no later than a signal has announced")
  func workEndsExactlyOnce() throws {
    var ledger = try busy(.work)
    #expect(try ledger.comesOfItself(Self.standing(3)) == nil)
    #expect(try ledger.isFound(Self.standing(3)) == .nothing)
    #expect(Self.kind { try ledger.isFound(Self.standing(3), heard: 4) } == .lost)
    #expect(try ledger.comesOfItself(Self.standing(4)) == false)
    ledger.settles(as: Self.standing(4))
    for wrong in [Self.standing(4, title: "Another"), Self.standing(5)] {
      #expect(Self.kind { try ledger.isFound(wrong) } == (wrong.window?.revision == 4 ? .different : .doneTwice))
    }
    #expect(try ledger.isFound(Self.standing(4)) == .nothing)
    #expect(ledger.sequel == nil)
    #expect(ledger.revisions == [1, 2, 3, 4])
    // The work has ended, and was neither undone nor repeated.
    #expect(Self.kind { try ledger.isFound(Self.standing(3)) } == .lost)
    #expect(Self.kind { try ledger.isFound(Self.standing(5)) } == .doneTwice)
  }

  @Test("Work of a call in doubt may have ended, which settles the call, and its answer changes nothing more")
  func endedWorkSettlesItsDoubtfulCall() throws {
    var ledger = try busy(.work, isAnswered: false)
    ledger.isCut()
    #expect(try ledger.comesOfItself(Self.standing(2)) == nil)
    #expect(try ledger.comesOfItself(Self.standing(3)) == nil)
    #expect(try ledger.comesOfItself(Self.standing(4)) == false)
    ledger.settles(as: Self.standing(4))
    #expect(try ledger.isFound(Self.standing(4)) == .done)
    ledger.calls()
    try ledger.isAnswered([.uint64(3)])
    #expect(ledger.told == Self.standing(4))
    #expect(ledger.sequel == nil)
    #expect(ledger.revisions == [1, 2, 3, 4])
  }

  @Test("What a call starts follows the call, even if the call is known to be done but not answered yet")
  func sequelFollowsItsCall() throws {
    var ledger = try busy(.work, isAnswered: false)
    ledger.isCut()
    #expect(try ledger.isFound(Self.standing(3)) == .done)
    #expect(try ledger.comesOfItself(Self.standing(4)) == false)
    ledger.settles(as: Self.standing(4))
    #expect(try ledger.isFound(Self.standing(4)) == .nothing)
    ledger.calls()
    try ledger.isAnswered([.uint64(3)])
    #expect(ledger.revisions == [1, 2, 3, 4])
  }

  @Test("Work that took no secret is never interrupted")
  func workWithoutASecretIsNeverInterrupted() throws {
    var ledger = try busy(.work)
    ledger.isCut()
    _ = try ledger.isFound(Self.standing(3))
    #expect(Self.kind { try ledger.comesOfItself(Self.standing(4, code: "interrupted")) } == .different)
    #expect(try ledger.comesOfItself(Self.standing(4)) == false)
  }

  @Test("Work that took a secret is interrupted by a kill and by nothing else")
  func workWithASecretIsInterruptedByAKillOnly() throws {
    var ledger = try busy(.confidentialWork)
    let interrupted = Self.standing(4, code: "interrupted")
    #expect(Self.kind { try ledger.comesOfItself(interrupted) } == .different)
    ledger.isCut()
    // The work may have ended before the kill.
    #expect(try ledger.comesOfItself(Self.standing(4)) == false)
    #expect(try ledger.comesOfItself(interrupted) == true)
    // If it has not, the secret is gone.
    _ = try ledger.isFound(Self.standing(3))
    #expect(Self.kind { try ledger.comesOfItself(Self.standing(4)) } == .different)
    #expect(try ledger.comesOfItself(interrupted) == true)
  }

  @Test("Work of a call that was not done and is repeated has not been interrupted")
  func repeatedCallStartsItsWorkAnew() throws {
    var ledger = try busy(.confidentialWork, isAnswered: false)
    ledger.isCut()
    #expect(try ledger.isFound(Self.standing(2)) == .notDone)
    #expect(ledger.sequel == nil)
    ledger.calls()
    try ledger.isAnswered([.uint64(3)])
    #expect(Self.kind { try ledger.comesOfItself(Self.standing(4, code: "interrupted")) } == .different)
  }

  @Test("A flow whose caller has left ends as cancelled and in no other way")
  func flowIsCancelledWhenItsCallerLeaves() throws {
    var ledger = TreeLedger(token: "client1_1_shop_1", flow: "shop")
    ledger.prepares(Self.call("StartFlow"), answer: Self.paths, after: Self.standing(1), revision: 1)
    ledger.calls()
    try ledger.isAnswered(Self.paths)
    ledger.loses()
    #expect(try ledger.isFound(Self.standing(1)) == .nothing)
    #expect(!ledger.isOver)
    #expect(Self.kind { try ledger.isFound(.unknown) } == .lost)
    #expect(Self.kind { try ledger.isFound(.ended(.finished([:]))) } == .different)
    #expect(try ledger.isFound(.ended(.cancelled)) == .nothing)
    #expect(ledger.isOver)
    #expect(ledger.revisions == [1, 2])
  }

  @Test("A draft is stored or not, and adds no transition to the history")
  func draftIsStoredWithoutATransition() throws {
    var ledger = ledger
    ledger.prepares(Self.call("SaveDraft"), answer: [], after: Self.standing(2, title: "With a draft"), revision: 2)
    ledger.calls()
    #expect(try ledger.isFound(Self.standing(2)) == .notDone)
    ledger.calls()
    #expect(try ledger.isFound(Self.standing(2, title: "With a draft")) == .done)
    #expect(Self.kind { try ledger.isFound(Self.standing(2)) } == .different)
    try ledger.isAnswered([])
    #expect(ledger.revisions == [1, 2])
  }

  // MARK: Samples

  private static let paths: [Value] = [.objectPath("/flow"), .objectPath("/flow/router")]

  private static func call(_ member: String, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(destination: Contract.busName, path: "/flow", interface: nil, member: member, arguments: arguments)
  }

  private static func standing(
    _ revision: UInt64, title: String = "Shop", code: String? = nil, children: [ObjectPath] = ["/a", "/b"]
  ) -> Standing {
    let messages = code.map { [["code": Value.string($0)]] } ?? []
    let window = WindowSnapshot(
      revision: revision, screens: [["title": .string(title), "messages": .vardicts(messages)]])
    return .live(TreeView(window: window, nodes: ["/flow": .init(flow: "shop", children: children, screens: [1])]))
  }

  /// Returns the kind of violation that `body` throws; nil for none.
  private static func kind(_ body: () throws -> some Any) -> Violation.Kind? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? Violation)?.kind
    }
  }
}
