import CoordinatorClient
import CoordinatorKit
import Languages
import Testing

@testable import RendererKit

@Suite("A front door")
struct HomeTests {
  private func flow(_ name: String, _ title: String, summary: String = "", isPart: Bool = false) -> FlowListing {
    FlowListing(name: name, title: title, summary: summary, input: nil, isPart: isPart)
  }

  private func running(_ name: String, _ flow: String, at start: UInt64, of flows: [FlowListing]) throws -> RunningFlow {
    let active = ActiveFlow(
      coordinator: try .init("/org/coordinatord/Coordinator1/flows/\(name)"), flow: flow, token: nil, startedAt: start)
    return RunningFlow(active, of: Dictionary(uniqueKeysWithValues: flows.map { ($0.name, $0) }), language: nil)
  }

  @Test("lists what runs, newest first, and then what can be started, by title")
  func order() throws {
    let flows = [flow("shop", "Shop"), flow("account", "account"), flow("pets", "Animal clinic")]
    let home = Home(
      running: [try running("a", "shop", at: 1, of: flows), try running("b", "gone", at: 2, of: flows)], flows: flows,
      language: nil)
    #expect(home.running.map(\.name) == ["b", "a"])
    #expect(home.running.map(\.title.text) == ["gone", "Shop"])
    #expect(home.startable.map(\.name) == ["account", "pets", "shop"])
    #expect(home.entries.map(\.group) == ["Running", "Running", "Start", "Start", "Start"])
  }

  @Test("does not offer flows that are parts of others, but shows them when they run")
  func parts() throws {
    let flows = [flow("shop", "Shop"), flow("log-in", "Log in", isPart: true)]
    let home = Home(running: [try running("a", "log-in", at: 1, of: flows)], flows: flows, language: nil)
    #expect(home.startable.map(\.name) == ["shop"])
    #expect(home.running.map(\.title.text) == ["Log in"])
  }

  @Test("is filtered by everything that it says")
  func filter() throws {
    let flows = [flow("shop", "Shop", summary: "Fill a basket."), flow("pets", "Animal clinic")]
    var clinic = try running("a", "pets", at: 0, of: flows)
    clinic.renderers = ["web"]
    let home = Home(running: [clinic], flows: flows, language: nil)
    func titles(_ text: String) -> [String] {
      home.filter(at: 0).matches(text).rows.map { home.entries[$0].title(in: nil).text }
    }
    #expect(titles("basket") == ["Shop"])
    #expect(titles("clinic browser") == ["Animal clinic"])
    #expect(titles("start clinic") == ["Animal clinic"])
    #expect(titles("running").count == 1)
  }

  @Test(
    "says how old a flow is",
    arguments: [
      (0, "just now"), (59, "just now"), (60, "1 minute ago"), (150, "2 minutes ago"), (3600, "1 hour ago"),
      (86_400, "1 day ago"), (200_000, "2 days ago"),
    ])
  func age(seconds: UInt64, words: String) {
    #expect(FlowAge(since: 1_000, at: 1_000 + seconds * 1_000_000).words == words)
    #expect(FlowAge(since: .max, at: 0).words == "just now")
  }

  @Test("says who is there")
  func presence() {
    #expect(Presence.sentence([]) == "nobody there")
    #expect(Presence.sentence(["web", "terminal", "terminal"]) == "2 terminals, 1 browser")
    #expect(Presence.sentence(["", "gtk"]) == "1 program, 1 gtk")
  }
}
