import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import TestBus
import Testing

@Suite("What a user answered before is suggested after Back", .timeLimit(.minutes(5)))
struct ScriptSuggestionTests {
  private static let lunch = """
    dish=$(ask menu dish "What to eat?" soup=Soup salad="A salad" cake=Cake)
    extras=$(ask list extras "With what?" --multiple=0-3 --initial bread bread=Bread oil=Oil salt=Salt)
    ask message done "Here it is" "$dish, $(echo $extras)"
    ask finish dish="$dish"
    """

  /// A flow that is a script, one question of which is asked again.
  private struct Scene {
    let world: ScriptWorld
    let daemon: RunningDaemon
    let client: DaemonClient
    let engine: Program
    let flow: Flow

    init() async throws {
      world = try ScriptWorld()
      try world.write("lunch", ScriptSuggestionTests.lunch)
      daemon = try await world.daemon()
      client = try await daemon.client()
      engine = try await world.engine(serving: "lunch", for: client)
      flow = try await Flow.start("lunch", client, options: Options(token: "mine"))
      try await flow.shows("dish")
    }

    /// Answers the menu and the list, and returns to the list.
    func goBackToTheList(_ ids: [String]) async throws {
      try await flow.send("salad")
      try await flow.shows("extras")
      let top = try await flow.top()
      _ = try await flow.coordinator.delegate(
        screen: top, event: Event.select, payload: ["ids": .array(ids.map(JSONValue.string))])
      try await flow.shows("done")
      try await flow.back()
      try await flow.shows("extras")
    }

    func control(_ arguments: String...) async throws -> ProgramReport {
      try await Program.run([Built.executable("coordinatorctl")] + arguments, environment: daemon.environment)
    }
  }

  @Test("A script's menu and list suggest what was answered before Back, and nothing is given by itself")
  func answersAreSuggested() async throws {
    let scene = try await Scene()
    #expect(try await scene.flow.shows("dish")?.suggested == nil)
    try await scene.goBackToTheList(["oil", "salt"])
    let extras = try await scene.flow.shows("extras")
    #expect(extras?.suggested == ["oil", "salt"] && extras?.choosing?.initial == ["bread"])
    let shown = try await scene.control("show", "mine")
    #expect(shown.lines.contains("Suggested: oil, salt"), "\(shown)")
    try await scene.flow.back()
    #expect(try await scene.flow.shows("dish")?.suggested == ["salad"])
    #expect(try await scene.control("show", "mine").lines.contains("Suggested: salad"))
    let json = try await scene.control("show", "mine", "--json")
    #expect(json.output.contains(#""suggested":["salad"]"#), "\(json)")
    try await scene.flow.send("cake")
    // A question after another answer is asked anew, with its earlier answer as the suggestion.
    #expect(try await scene.flow.shows("extras")?.suggested == ["oil", "salt"])
  }

  @Test("A script's list suggests no row after none was chosen, although it chooses some at first")
  func noneIsSuggested() async throws {
    let scene = try await Scene()
    try await scene.goBackToTheList([])
    #expect(try await scene.flow.shows("extras")?.suggested == [])
    let browser = try await RunningWeb.start(scene.daemon, ["mine"]).browser()
    try await browser.go("", until: "With what?")
    #expect(!browser.html.contains(" checked"))
  }

  @Test("Both renderers begin at what was answered before, whether they were there or come later")
  func renderersBeginAtTheSuggestion() async throws {
    let scene = try await Scene()
    let tool = try Built.executable("coordinator-tui")
    let terminals = try await Terminals.start([[tool, "mine"]], environment: scene.daemon.environment)
    terminals.resize(columns: 80, rows: 24)
    try await terminals.screen(shows: "❯ 1 Soup")
    try await scene.goBackToTheList(["oil", "salt"])
    try await terminals.screen(shows: "2 chosen", "[ ] Bread", "[x] Oil", "[x] Salt")
    let browser = try await RunningWeb.start(scene.daemon, ["mine"]).browser()
    try await browser.go("", until: "With what?")
    #expect(browser.html.ranges(of: " checked").count == 2 && browser.html.contains("value=\"oil\" checked autofocus"))
    try await scene.flow.back()
    try await terminals.screen(shows: "❯ 2 A salad")
    try await browser.go("", until: "What to eat?")
    #expect(browser.html.contains("class=\"choice-button chosen\" autofocus"), "\(browser.html)")
    #expect(browser.html.ranges(of: "Preselected").count == 1)
    // The user's Enter gives the answer again.
    terminals.press("Enter")
    try await terminals.screen(shows: "With what?")
    #expect(try await scene.flow.shows("extras")?.suggested == ["oil", "salt"])
  }

  @Test("Line by line, the prompt names what was answered before, and an empty line gives it")
  func linesNameTheSuggestion() async throws {
    let scene = try await Scene()
    try await scene.goBackToTheList(["oil"])
    try await scene.flow.back()
    try await scene.flow.shows("dish")
    let tool = try Built.executable("coordinator-tui")
    let terminals = try await Terminals.start([[tool, "--linear", "mine"]], environment: scene.daemon.environment)
    try await terminals.pane(0, shows: "Choice [2) A salad]: ")
    terminals.type("", in: 0)
    try await terminals.pane(0, shows: "separated by commas [2]: ")
    terminals.type("", in: 0)
    let done = try await scene.flow.shows("done")
    #expect(done?.body == "salad, oil")
  }
}
