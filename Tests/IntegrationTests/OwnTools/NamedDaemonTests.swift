import Foundation
import TestBus
import Testing

@Suite("Daemons with names of their own", .timeLimit(.minutes(5)))
struct NamedDaemonTests {
  private let standard: RunningDaemon

  init() async throws { standard = try await RunningDaemon.start() }

  private func control(_ arguments: String..., adding environment: [String: String] = [:]) async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinatorctl")] + arguments, environment: standard.environment.merging(environment) { $1 })
  }

  /// Starts a second daemon, and waits until it can be called.
  private func startKiosk(_ options: String..., adding environment: [String: String] = [:]) async throws -> Program {
    let program = try Program(
      [Built.executable("coordinatord")] + options, environment: standard.environment.merging(environment) { $1 })
    try await poll { try await control("--name", "kiosk", "flows").status == .exited(0) }
    return program
  }

  @Test("Two daemons serve on one bus, each with flows, a state and a history of its own, which survive kill -9")
  func daemonsAreApart() async throws {
    var kiosk = try await startKiosk("--name", "kiosk")
    #expect(try await control("start", "pets", "--token", "mine").status == .exited(0))
    #expect(try await control("--name", "kiosk", "start", "pets", "--token", "mine").status == .exited(0))
    #expect(try await control("send", "mine", "schedule-visit", "--name", "kiosk").status == .exited(0))
    #expect(try await control("tree").lines == ["mine  [1 home]"])
    let grown = ["mine  1 home", "└─ schedule_visit_1  [2 select-visit-type]"]
    #expect(try await control("tree", "--name", "org.coordinatord.kiosk").lines == grown)
    kiosk.signal(SIGKILL)
    _ = await kiosk.ended()
    kiosk = try await startKiosk("--name=kiosk")
    #expect(try await control("tree", "--name=kiosk").lines == grown)
    #expect(try await control("tree").lines == ["mine  [1 home]"])
    #expect(try await control("log", "--json", "--name", "kiosk").lines.count == 2)
    #expect(try await control("log", "--json").lines.count == 1)
    #expect(try await control("status", "--name", "kiosk").output.contains("State: \(standard.bus.directory)/kiosk\n"))
    for name in ["kiosk", "coordinatord"] {
      #expect(FileManager.default.fileExists(atPath: "\(standard.bus.directory)/\(name)/journal.sqlite"), "\(name)")
    }
    kiosk.signal(SIGTERM)
    _ = await kiosk.ended()
    let report = try await control("tree", "--name", "kiosk")
    #expect(report.status == .exited(2), "\(report)")
    #expect(report.errors.contains("org.coordinatord.kiosk is not on this bus"))
  }

  @Test("The environment names the daemon of tools and of coordinatord as the option does")
  func environmentNamesDaemons() async throws {
    let name = ["COORDINATORD_NAME": "kiosk"]
    let kiosk = try await startKiosk(adding: name)
    #expect(try await control("start", "pets", "--token", "mine", adding: name).status == .exited(0))
    #expect(try await control("tree", "--name", "kiosk").lines == ["mine  [1 home]"])
    #expect(try await control("tree").output.hasPrefix("No flow is running"))
    #expect(try await control("tree", "--name", "coordinatord", adding: name).output.hasPrefix("No flow is running"))
    kiosk.signal(SIGTERM)
    #expect(await kiosk.ended().status == .exited(0))
  }

  @Test("A browser shows the flows of the daemon that was named")
  func browserShowsNamedDaemon() async throws {
    let kiosk = try await startKiosk("--name", "kiosk")
    let web = try await RunningWeb.start(standard, ["--name", "kiosk"])
    _ = try await control("start", "schedule-visit", "--token", "visit", "--name", "kiosk")
    let browser = try await web.browser()
    try await browser.go("flows/visit")
    #expect(browser.status == 200)
    try await browser.press("sick")
    #expect(try await control("tree", "--name", "kiosk").output.contains("select-pain-level"))
    #expect(try await control("tree").output.hasPrefix("No flow is running"))
    kiosk.signal(SIGTERM)
    _ = await kiosk.ended()
  }

  @Test("A name that no daemon can have is refused", arguments: ["", "a/b", "..", "1st", "org..kiosk"])
  func wrongNameIsRefused(name: String) async throws {
    let report = try await control("--name", name, "tree")
    #expect(report.status == .exited(64), "\(report)")
    #expect(report.errors.contains("is not a valid bus name"), "\(report)")
    let daemon = try await Program.run([Built.executable("coordinatord"), "--name", name], environment: standard.environment)
    #expect(daemon.status == .exited(64))
    guard !name.isEmpty else { return }
    let variable = try await control("tree", adding: ["COORDINATORD_NAME": name])
    #expect(variable.status == .exited(64), "\(variable)")
    #expect(variable.errors.contains("COORDINATORD_NAME"), "\(variable)")
  }
}
