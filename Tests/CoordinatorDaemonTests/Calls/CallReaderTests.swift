import CoordinatorBus
import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorDaemon

@Suite("The reader of calls", .timeLimit(.minutes(5)))
struct CallReaderTests {
  private let reader = CallReader(maxPayload: 1_000)
  private let path = CoordinatorPath(root: "pets_1")

  private func error(_ member: String, _ arguments: [Value]) -> String? {
    do throws(DBusError) {
      _ = try reader.treeRequest(member, arguments, at: path)
      return nil
    } catch {
      return String(error.name.split(separator: ".").last ?? "")
    }
  }

  @Test("Delegate is read with its screen, event, payload, revision and request key")
  func delegateIsReadWhole() throws {
    let options: [String: Value] = ["request": .string("r-1"), "seen": .uint64(4)]
    let arguments: [Value] = [.uint64(3), .string("feed"), .vardict(["food": .string("hay")]), .vardict(options)]
    #expect(
      try reader.treeRequest("Delegate", arguments, at: path)
        == TreeRequest(.delegate(path, screen: ScreenID(3), event: "feed", payload: ["food": "hay"], seen: 4), key: "r-1"))
  }

  @Test("Screen 0 of Delegate means that the event comes from no screen")
  func screenZeroMeansNoScreen() throws {
    let arguments: [Value] = [.uint64(0), .string("feed"), .vardict([:]), .vardict([:])]
    #expect(
      try reader.treeRequest("Delegate", arguments, at: path)
        == TreeRequest(.delegate(path, screen: nil, event: "feed", payload: [:], seen: nil)))
  }

  @Test("Integers of every type are read as numbers, and a{ss} as a{sv}")
  func otherTypesAreReadAsWell() throws {
    let strings = Value.dictionary(
      key: .string, value: .string, [DictionaryEntry(key: .string("request"), value: .string("k"))])
    #expect(
      try reader.treeRequest("Back", [.int32(7), strings], at: path) == TreeRequest(.back(ScreenID(7)), key: "k"))
  }

  @Test("StartChild with the style modal opens a layer, and pushes otherwise")
  func styleOfChildDecidesItsRouter() throws {
    for (style, router) in [("modal", RouterKind.modal), ("push", .navigation)] {
      let arguments: [Value] = [.string("kanji"), .vardict([:]), .vardict(["style": .string(style)])]
      #expect(
        try reader.treeRequest("StartChild", arguments, at: path)
          == TreeRequest(.startChild(path, flow: "kanji", input: [:], router: router)))
    }
  }

  @Test("Arguments that are missing, of another type or too long are refused, and nothing traps")
  func wrongArgumentsAreRefused() {
    #expect(error("Delegate", []) == "InvalidArgs")
    #expect(error("Delegate", [.string("3"), .string("e"), .vardict([:]), .vardict([:])]) == "InvalidArgs")
    #expect(error("Delegate", [.int64(-1), .string("e"), .vardict([:]), .vardict([:])]) == "InvalidArgs")
    #expect(error("Delegate", [.uint64(1), .string("e"), .string("payload"), .vardict([:])]) == "InvalidArgs")
    #expect(error("Back", [.uint64(1), .vardict(["seen": .uint64(1)])]) == "InvalidArgs")
    let long = String(repeating: "e", count: 256)
    #expect(error("Delegate", [.uint64(1), .string(long), .vardict([:]), .vardict([:])]) == "LimitsExceeded")
    let large = Value.vardict(["text": .string(String(repeating: "x", count: 1_000))])
    #expect(error("SaveDraft", [.uint64(1), large, .vardict([:])]) == "LimitsExceeded")
    #expect(error("Explode", []) == "UnknownMethod")
  }

  // MARK: Request keys

  @Test("A call is read ahead only if it has a request key and nothing is wrong with it")
  func onlyKeyedCallsAreReadAhead() {
    let keyed = Value.vardict(["request": .string("k")])
    func read(_ interface: String?, _ member: String, _ arguments: [Value], at path: CoordinatorPath) -> TreeRequest? {
      reader.keyedRequest(interface, member, arguments, at: path)
    }
    #expect(read(nil, "Dismiss", [.boolean(true), keyed], at: path) == TreeRequest(.dismiss(path, animated: true), key: "k"))
    #expect(read(nil, "Dismiss", [.boolean(true), .vardict([:])], at: path) == nil)
    #expect(read(nil, "Dismiss", [keyed], at: path) == nil)
    #expect(read(nil, "Dismiss", [.string("yes"), keyed], at: path) == nil)
    #expect(read(Contract.routerInterface, "Dismiss", [.boolean(true), keyed], at: path) == nil)
    let router = CoordinatorPath(text: "pets_1/router")
    #expect(read(nil, "Back", [.uint64(1), keyed], at: router) == TreeRequest(.back(ScreenID(1)), key: "k"))
    #expect(read(nil, "Back", [.uint64(1), keyed], at: path) == nil)
  }

  // MARK: Starting

  @Test("StartFlow lives with the daemon by default, RunFlow with its caller")
  func lifetimeDependsOnMethod() throws {
    for (kind, endsWithCaller) in [(StartWaiter.Kind.started, false), (.ended, true)] {
      let request = try reader.startRequest(
        kind, [.string("pets"), .vardict([:]), .vardict([:])], sender: ":1.5", client: ":1.5", now: 10)
      #expect(request.endsWithCaller == endsWithCaller)
      #expect(request.deadline == nil)
    }
  }

  @Test("A timeout becomes a time of day, and the longest one does not overflow")
  func timeoutBecomesDeadline() throws {
    func deadline(_ timeout: UInt64) throws -> UInt64? {
      let options = Value.vardict(["timeout": .uint64(timeout)])
      return try reader.startRequest(
        .started, [.string("pets"), .vardict([:]), options], sender: ":1.5", client: ":1.5", now: 1_700_000_000_000_000
      ).deadline
    }
    #expect(try deadline(5) == 1_700_000_000_000_005)
    #expect(try deadline(.max) ?? 0 > 1_700_000_000_000_000)
  }

  @Test("The token is told of a call whose options are right, and of no other")
  func tokenIsToldOfRightOptions() {
    #expect(reader.token([.string("pets"), .vardict([:]), .vardict(["token": .string("T_1")])]) == "T_1")
    #expect(reader.token([.string("pets"), .vardict([:]), .vardict(["token": .string("T-1")])]) == nil)
    #expect(reader.token([.string("pets"), .vardict([:]), .vardict(["tokens": .string("T")])]) == nil)
    #expect(reader.token([]) == nil)
  }
}
