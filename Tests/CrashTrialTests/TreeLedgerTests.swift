import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus
import Testing

@Suite("What a client knows of a tree")
struct TreeLedgerTests {
  /// A tree at revision 2, whose client is about to take it to revision 3.
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

  @Test("what was acknowledged has to be there, and nothing else")
  func told() throws {
    var ledger = ledger
    #expect(ledger.revisions == [1, 2])
    #expect(try ledger.isFound(Self.standing(2)) == .nothing)
    #expect(Self.kind { try ledger.isFound(Self.standing(1)) } == .lost)
    #expect(Self.kind { try ledger.isFound(.unknown) } == .lost)
    // The call is prepared, and nobody has made it.
    #expect(Self.kind { try ledger.isFound(Self.standing(3)) } == .doneTwice)
    #expect(Self.kind { try ledger.isFound(.ended(.cancelled)) } == .doneTwice)
    #expect(Self.kind { try ledger.isFound(Self.standing(2, title: "Another")) } == .different)
    #expect(Self.kind { try ledger.isFound(Self.standing(2, children: ["/b", "/a"])) } == .different)
  }

  @Test("a call in doubt was done or was not, and nothing in between")
  func doubt() throws {
    var ledger = ledger
    ledger.calls()
    #expect(Self.kind { try ledger.isFound(Self.standing(1)) } == .lost)
    #expect(Self.kind { try ledger.isFound(Self.standing(4)) } == .doneTwice)
    #expect(Self.kind { try ledger.isFound(Self.standing(3, title: "Half")) } == .different)
    var done = ledger
    #expect(try done.isFound(Self.standing(3)) == .done)
    #expect(try ledger.isFound(Self.standing(2)) == .notDone)
  }

  @Test("what was done stays done, and what was not is not done before it is called again")
  func settled() throws {
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

  @Test("what a signal told is stored")
  func heard() throws {
    var ledger = ledger
    ledger.calls()
    #expect(Self.kind { try ledger.isFound(Self.standing(2), heard: 3) } == .lost)
    #expect(try ledger.isFound(Self.standing(3), heard: 3) == .done)
    #expect(Self.kind { try ledger.isFound(Self.standing(3), heard: 4) } == .lost)
  }

  @Test("a call that is repeated is answered as it would have been the first time")
  func repeated() throws {
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
    "a basket holds what was put into it",
    arguments: [(1, .lost), (2, nil), (3, .doneTwice)] as [(Int64, Violation.Kind?)])
  func basket(sold: Int64, violation: Violation.Kind?) throws {
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

  // MARK: Samples

  private static let paths: [Value] = [.objectPath("/flow"), .objectPath("/flow/router")]

  private static func call(_ member: String, _ arguments: [Value] = []) -> MethodCall {
    MethodCall(destination: Contract.busName, path: "/flow", interface: nil, member: member, arguments: arguments)
  }

  private static func standing(_ revision: UInt64, title: String = "Shop", children: [ObjectPath] = ["/a", "/b"]) -> Standing {
    let window = WindowSnapshot(revision: revision, screens: [["title": .string(title)]])
    return .live(TreeView(window: window, nodes: ["/flow": .init(flow: "shop", children: children, screens: [1])]))
  }

  /// What kind of violation `body` throws; nil for none.
  private static func kind(_ body: () throws -> some Any) -> Violation.Kind? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? Violation)?.kind
    }
  }
}
