import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit
import Testing

@testable import LinearTerminal

@Suite("The front door, line by line", .timeLimit(.minutes(5)))
struct HomeDeskTests {
  private static let now = Timestamp(microseconds: 600_000_000)
  private static let flows = [
    FlowListing(name: "pets", title: "Pets", summary: "Look after pets.", input: nil),
    FlowListing(
      name: "kanji", title: "Kanji", summary: "Learn a word.",
      input: .object(Field("word", .string(title: "Word", length: 1...9)))),
    FlowListing(name: "inner", title: "Inner", summary: "", input: nil, isPart: true),
  ]

  private static func running(_ name: String, minutes: UInt64 = 5) throws -> RunningFlow {
    let path = try ObjectPath("/org/coordinatord/Coordinator1/flows/\(name)")
    let start = now.microseconds - minutes * 60_000_000
    let flow = ActiveFlow(coordinator: path, flow: "pets", token: nil, startedAt: start)
    return RunningFlow(flow, of: ["pets": flows[0]], language: nil)
  }

  private static func home(_ running: RunningFlow...) -> Home { Home(running: running, flows: flows, language: nil) }

  private func open(_ home: Home, isInteractive: Bool = true) -> (HomeDesk, [HomeDesk.Effect]) {
    var desk = HomeDesk(style: TextStyle(), isInteractive: isInteractive)
    let effects = desk.handle(.news(.home(home)), at: Self.now)
    return (desk, effects)
  }

  @Test("What runs and what can be started is listed with numbers")
  func flowsAreListed() throws {
    let (_, effects) = open(Self.home(try Self.running("pets_1")))
    #expect(
      effects.lines == [
        "", "Flows", "", "Running:", "  1) Pets - nobody there; 5 minutes ago", "Start:", "  2) Kanji - Learn a word.",
        "  3) Pets - Look after pets.", "", "q leaves, ? shows help",
      ])
    #expect(effects.prompt == "Choice: ")
  }

  @Test("A flow that runs is opened, by its number or its name", arguments: ["1", "pets_1"])
  func runningFlowIsOpened(line: String) throws {
    var (desk, _) = open(Self.home(try Self.running("pets_1")))
    #expect(desk.type(line) == [.open("/org/coordinatord/Coordinator1/flows/pets_1")])
  }

  @Test("A flow without input is started at once")
  func flowIsStarted() throws {
    var (desk, _) = open(Self.home(try Self.running("pets_1")))
    #expect(desk.type("3") == [.start("pets", [:])])
  }

  @Test("A flow whose token is the name of another flow does not hide it")
  func nameOfATokenHidesNoFlow() throws {
    var (desk, _) = open(Self.home(try Self.running("pets")))
    #expect(desk.type("=start pets") == [.start("pets", [:])])
  }

  @Test("The input of a flow is asked for first, and a refusal asks again", arguments: [true, false])
  func inputIsAskedFor(isInteractive: Bool) throws {
    var (desk, _) = open(Self.home(), isInteractive: isInteractive)
    let form = desk.type("kanji")
    #expect(form.lines.contains("Kanji") && form.lines.contains("Learn a word."))
    #expect(form.prompt == "Word: ")
    #expect(desk.type("水") == [.start("kanji", ["word": "水"])])
    let refused = desk.handle(
      .refused(.refused(.invalidInput(message: "no", reasons: ["word": "is not a word"]))), at: Self.now)
    #expect(refused.lines == ["Error: Word is not a word"])
    #expect(desk.type("水曜日") == [.start("kanji", ["word": "水曜日"])])
  }

  @Test("'b' leads from the input of a flow back to the list")
  func backLeadsToTheList() throws {
    var (desk, _) = open(Self.home())
    _ = desk.type("kanji")
    let list = desk.type(":b")
    #expect(list.lines.contains("Flows") && list.prompt == "Choice: ")
    #expect(desk.type("q") == [.write(.print([])), .leave(.success)])
  }

  @Test("Only flows that have appeared or disappeared are reported, and a search shows the current place of each flow")
  func onlyComingAndGoingIsTold() throws {
    var (desk, _) = open(Self.home(try Self.running("pets_1")))
    #expect(desk.handle(.news(.home(Self.home(try Self.running("pets_1", minutes: 6)))), at: Self.now).isEmpty)
    let two = Self.home(try Self.running("pets_1", minutes: 7), try Self.running("pets_2", minutes: 1))
    #expect(desk.handle(.news(.home(two)), at: Self.now).lines == ["New: 4) Pets - nobody there; 1 minute ago"])
    #expect(desk.type("/pets_").lines == ["  No rows match these words. / shows the list again."])
    #expect(desk.type("/nobody 7").lines.contains("  1) Pets - nobody there; 7 minutes ago"))
    let gone = desk.handle(.news(.home(Self.home(try Self.running("pets_2", minutes: 1)))), at: Self.now)
    #expect(gone.lines == ["Gone: 1) Pets - nobody there; 7 minutes ago"])
  }

  @Test("Over a pipe, the list that was read stays as it was")
  func scriptReadsOneList() throws {
    var (desk, _) = open(Self.home(try Self.running("pets_1")), isInteractive: false)
    #expect(desk.handle(.news(.home(Self.home())), at: Self.now).isEmpty)
    #expect(desk.type("1") == [.open("/org/coordinatord/Coordinator1/flows/pets_1")])
  }

  @Test("A daemon that leaves is waited for, and the list is shown again when it is back")
  func daemonIsWaitedFor() throws {
    var (desk, _) = open(Self.home(try Self.running("pets_1")))
    #expect(desk.handle(.news(.away), at: Self.now).lines.last?.contains("connection was lost") == true)
    let back = desk.handle(.news(.home(Self.home())), at: Self.now)
    #expect(back.lines.first == "The connection is back." && back.lines.contains("Flows"))
    #expect(back.prompt == "Choice: ")
  }

  @Test("Without any flow, this is said")
  func emptyHomeIsTold() {
    let (_, effects) = open(Home(running: [], flows: [], language: nil))
    #expect(effects.lines.contains("No flow runs, and none can be started."))
  }
}

extension HomeDesk {
  fileprivate mutating func type(_ line: String) -> [Effect] {
    handle(.conversation(.line(line)), at: Timestamp(microseconds: 600_000_000))
  }
}

extension [HomeDesk.Effect] {
  fileprivate var written: [Conversation.Effect] {
    compactMap { effect in if case .write(let effect) = effect { effect } else { nil } }
  }

  fileprivate var lines: [String] { written.lines }

  fileprivate var prompt: String? { written.prompt?.text }
}
