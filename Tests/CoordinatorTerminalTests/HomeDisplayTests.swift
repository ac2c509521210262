import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Testing

@testable import CoordinatorTerminal
@testable import RendererKit

@Suite("The front door")
struct HomeDisplayTests {
  private static let now = Timestamp(microseconds: 600_000_000)
  private static let visit = FlowListing(name: "schedule-visit", title: "Schedule a visit", summary: "Asks what for.", input: nil)
  private static let kanji = FlowListing(
    name: "kanji", title: "A kanji", summary: "Shows a kanji.",
    input: Form(Field("kanji", .string(title: "Kanji", length: 1...1))).schema)
  private static let part = FlowListing(name: "log-in", title: "Log in", summary: "", input: nil, isPart: true)

  private func running(_ name: String, _ screen: Screen = Samples.menu, renderers: [String] = []) throws -> RunningFlow {
    let active = ActiveFlow(
      coordinator: try ObjectPath("/org/coordinatord/Coordinator1/flows/\(name)"), flow: "schedule-visit", token: nil,
      startedAt: 300_000_000)
    return RunningFlow(
      active, of: ["schedule-visit": Self.visit], language: nil,
      window: MirroredWindow(revision: 1, screens: [Samples.presented(screen)]), renderers: renderers)
  }

  private func display(_ running: [RunningFlow] = []) -> HomeDisplay {
    var display = HomeDisplay(name: nil, font: .unicode)
    show(running, in: &display)
    return display
  }

  private func show(_ running: [RunningFlow], in display: inout HomeDisplay) {
    let home = Home(running: running, flows: [Self.visit, Self.kanji, Self.part], language: nil)
    _ = display.handle(.news(.home(home)), at: Self.now)
  }

  private func lines(_ display: inout HomeDisplay, _ columns: Int, _ rows: Int) -> [String] {
    display.draw(in: Size(columns: columns, rows: rows), at: Self.now).lines
  }

  private func press(_ display: inout HomeDisplay, _ keys: Key...) -> [HomeDisplay.Effect] {
    keys.flatMap { display.handle(.key($0), at: Self.now) }
  }

  @Test("shows what runs, where it is, who is there and since when, and what can be started")
  func list() throws {
    var display = display([try running("a", renderers: ["terminal", "web"])])
    let lines = lines(&display, 80, 16)
    #expect(
      lines.contains("  ❯ Schedule a visit  What is the visit for? · 1 terminal, 1 browser · 5 mi…"), "\(lines)")
    #expect(lines.contains("    A kanji           Shows a kanji."))
    #expect(!lines.contains { $0.contains("Log in") })
    #expect(lines.last == "  Enter open · ↑↓ move · Esc leave · F1 help")
  }

  @Test("shows the screen of the selected flow at the right of a wide terminal, and says what a flow is for")
  func preview() throws {
    var display = display([try running("a")])
    #expect(lines(&display, 120, 20).contains { $0.contains("│ What is the visit for?") })
    _ = press(&display, .down)
    #expect(lines(&display, 120, 20).contains { $0.contains("• Kanji") })
    #expect(!lines(&display, 90, 20).contains { $0.contains("• Kanji") })
  }

  @Test("is filtered while its user types; Esc shows everything again, and then leaves")
  func filter() throws {
    var display = display([try running("a")])
    #expect(press(&display, .character("k"), .character("j")).isEmpty)
    #expect(display.selected?.title(in: nil).text == "A kanji")
    #expect(press(&display, .escape).isEmpty)
    #expect(press(&display, .escape) == [.leave(.success)])
  }

  @Test("takes the letter q as text, because flows have it in their titles")
  func letters() {
    var display = display()
    #expect(press(&display, .character("q")).isEmpty)
  }

  @Test("opens what runs, and starts what can be started")
  func enter() throws {
    var display = display([try running("a")])
    #expect(press(&display, .enter) == [.open("/org/coordinatord/Coordinator1/flows/a")])
    #expect(press(&display, .end, .enter) == [.start("schedule-visit", input: [:])])
    #expect(
      display.handle(.started("/org/coordinatord/Coordinator1/flows/b"), at: Self.now) == [
        .open("/org/coordinatord/Coordinator1/flows/b")
      ])
  }

  @Test("asks for the input that a flow needs before it starts it, and says what is wrong with it")
  func input() {
    var display = display()
    #expect(press(&display, .enter).isEmpty)
    #expect(lines(&display, 80, 20).contains { $0.contains("[ Start ]") })
    #expect(press(&display, .enter).isEmpty)
    #expect(press(&display, .character("水"), .enter) == [.start("kanji", input: ["kanji": "水"])])
    let refusal = ContractError.invalidPayload(message: "no", reasons: ["kanji": "is not known"])
    #expect(display.handle(.refused(.refused(refusal)), at: Self.now).isEmpty)
    #expect(lines(&display, 80, 20).contains { $0.contains("✗") && $0.contains("is not known") })
    #expect(press(&display, .escape).isEmpty)
    #expect(display.form == nil)
  }

  @Test("opens the flow that runs if it may run only once")
  func singleton() throws {
    var display = display([try running("a")])
    _ = press(&display, .end, .enter)
    let refusal = ClientError.refused(.alreadyRunning(message: "it runs"))
    #expect(display.handle(.refused(refusal), at: Self.now) == [.open("/org/coordinatord/Coordinator1/flows/a")])
  }

  @Test("keeps what is selected while flows come and go")
  func selection() throws {
    var display = display([try running("a")])
    _ = press(&display, .down)
    show([try running("b"), try running("a")], in: &display)
    #expect(display.selected?.title(in: nil).text == "A kanji")
  }

  @Test("says that the service is away, and starts nothing meanwhile")
  func away() throws {
    var display = display([try running("a")])
    #expect(display.handle(.news(.away), at: Self.now).isEmpty)
    #expect(press(&display, .enter).isEmpty)
    #expect(lines(&display, 80, 16).contains { $0.contains("! The service has left.") })
    #expect(display.handle(.beat, at: Self.now).isEmpty)
  }

  @Test("says what was typed in a flow that was opened from here and not sent, at once and at the end")
  func unsent() throws {
    var display = display([try running("a")])
    let text = try #require(UnsentText(["username": "Anna"], of: Samples.logIn.form?.fields ?? []))
    let end = DisplayNotice(.info, "\u{201C}Log in\u{201D} was cancelled.")
    _ = display.handle(
      .returned("/org/coordinatord/Coordinator1/flows/a", end, unsent: [text]), at: Self.now)
    #expect(lines(&display, 120, 20).contains { $0.contains("was cancelled.") && $0.contains("Anna") })
    _ = display.handle(.returned("/org/coordinatord/Coordinator1/flows/b", nil, unsent: [text]), at: Self.now)
    #expect(lines(&display, 120, 20).contains { $0.contains("Your text was not sent: Anna") })
    #expect(display.unsentLines.count { $0.contains("User name: Anna") } == 2)
  }

  @Test("can be drawn at any size")
  func sizes() throws {
    var display = display([try running("a", Samples.everything)])
    for columns in 0...130 { for rows in [0, 1, 2, 3, 5, 9, 30] { _ = lines(&display, columns, rows) } }
  }
}
