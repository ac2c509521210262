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
      let call = try reader.startCall(kind, [.string("pets"), .vardict([:]), .vardict([:])])
      let request = try reader.startRequest(call, sender: ":1.5", client: ":1.5", now: Moment(unset: 10))
      #expect(request.endsWithCaller == endsWithCaller)
      #expect(request.timeout == nil)
    }
  }

  @Test("A timeout is a duration and a time of day, and the longest one does not overflow")
  func timeoutBecomesDeadline() throws {
    let now = Moment(wall: 1_700_000_000_000_000, elapsed: ElapsedTime(boot: 3, microseconds: 7))
    func read(_ timeout: UInt64) throws -> FlowTimeout? {
      let options = Value.vardict(["timeout": .uint64(timeout)])
      let call = try reader.startCall(.started, [.string("pets"), .vardict([:]), options])
      return try reader.startRequest(call, sender: ":1.5", client: ":1.5", now: now).timeout
    }
    #expect(try read(5)?.due == 1_700_000_000_000_005)
    #expect(try read(5)?.lapse == Lapse(5, from: now.elapsed))
    #expect(try read(5)?.lapse?.end == 12)
    #expect(try read(.max)?.due ?? 0 > 1_700_000_000_000_000)
    #expect(try read(.max)?.lapse?.end ?? 0 > 7)
  }

  // MARK: What a call needs

  private func need(_ member: String, at path: ObjectPath, _ arguments: [Value] = []) -> RestorationNeed {
    reader.need(of: member, at: path, arguments)
  }

  @Test("A call on a tree needs that tree, and nothing if the path names none")
  func callOnTreeNeedsTree() throws {
    let child = try #require(CoordinatorPath(names: ["pets_1", "form_2"]))
    #expect(need("Delegate", at: path.objectPath) == .root("pets_1"))
    #expect(need("Get", at: child.objectPath) == .root("pets_1"))
    #expect(need("Back", at: path.routerPath) == .root("pets_1"))
    #expect(need("Introspect", at: .root) == .nothing)
  }

  @Test("What lists trees needs all of them; the list of flows needs none")
  func listsNeedEverything() {
    for member in ["ListActive", "RetryHeld", "GetManagedObjects", "GetAll"] {
      #expect(need(member, at: Contract.rootPath) == .everything)
    }
    #expect(need("Introspect", at: Contract.flowsPath) == .everything)
    #expect(need("ListFlows", at: Contract.rootPath) == .nothing)
  }

  @Test("GetOutcome needs the tree that it asks about, and nothing if it cannot be read")
  func outcomeNeedsItsTree() {
    #expect(need("GetOutcome", at: Contract.rootPath, [.objectPath(path.objectPath)]) == .root("pets_1"))
    #expect(need("GetOutcome", at: Contract.rootPath, [.objectPath(.root)]) == .nothing)
    #expect(need("GetOutcome", at: Contract.rootPath, [.string("pets_1")]) == .nothing)
    #expect(need("GetOutcome", at: Contract.rootPath) == .nothing)
  }

  @Test("A start needs the tree of its token, and without a token only the names in use")
  func startNeedsItsToken() throws {
    func need(_ options: [String: Value]) throws -> RestorationNeed {
      try reader.startCall(.started, [.string("pets"), .vardict([:]), .vardict(options)]).need
    }
    #expect(try need(["token": .string("T_1")]) == .root("T_1"))
    #expect(try need([:]) == .names)
    // Decided when the call's options are read.
    #expect(self.need("StartFlow", at: Contract.rootPath) == .nothing)
  }

  // MARK: Other calls

  @Test("GetOutcome is read with the coordinator that its path names, if it names one")
  func outcomeIsReadWithItsCoordinator() throws {
    let asked = try reader.outcomeRequest([.objectPath(path.objectPath)])
    #expect(asked.coordinator == path)
    let other = try reader.outcomeRequest([.objectPath(.root)])
    #expect(other.path == .root && other.coordinator == nil)
    #expect(throws: DBusError.self) { try reader.outcomeRequest([.uint32(1)]) }
  }

  @Test("Attach is read with the capabilities that it declares, and unknown ones are ignored")
  func capabilitiesAreRead() throws {
    let declared: [String: Value] = ["kind": .string("web"), "kinds": .strings(["form"]), "colour": .boolean(true)]
    #expect(try reader.capabilities([.vardict(declared)]) == RendererCapabilities(kind: "web", kinds: ["form"]))
    #expect(try reader.capabilities([.vardict([:])]) == RendererCapabilities(kind: ""))
    #expect(throws: DBusError.self) { try reader.capabilities([.string("web")]) }
    #expect(throws: DBusError.self) { try reader.capabilities([.vardict(["kind": .uint32(1)])]) }
  }
}
