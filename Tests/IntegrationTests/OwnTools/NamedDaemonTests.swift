import Foundation
import TestBus
import Testing

@Suite("Daemons with different names", .timeLimit(.minutes(5)))
struct NamedDaemonTests {
  private let standard: RunningDaemon

  init() async throws { standard = try await RunningDaemon.start() }

  private func control(_ arguments: String..., adding environment: [String: String] = [:]) async throws -> ProgramReport {
    try await Program.run(
      [Built.executable("coordinatorctl")] + arguments, environment: standard.environment.merging(environment) { $1 })
  }

  /// Returns the names of the flows of a daemon.
  private func flows(_ options: String...) async throws -> [Substring] {
    let report = try await Program.run(
      [Built.executable("coordinatorctl"), "flows"] + options, environment: standard.environment)
    return report.lines.compactMap { $0.split(separator: " ").first }
  }

  /// Starts a second daemon, and waits until it can be called.
  private func startKiosk(_ options: String..., adding environment: [String: String] = [:]) async throws -> Program {
    let program = try Program(
      [Built.executable("coordinatord")] + options, environment: standard.environment.merging(environment) { $1 })
    try await poll { try await control("--name", "kiosk", "flows").status == .exited(0) }
    return program
  }

  @Test("Two daemons serve on one bus, each with separate flows, state and history, which survive kill -9")
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

  @Test("A daemon is the same, with the same state, by its word and by its bus name")
  func wordAndBusNameAreOne() async throws {
    let word = try await startKiosk("--name", "kiosk")
    #expect(try await control("--name", "kiosk", "start", "pets", "--token", "mine").status == .exited(0))
    #expect(try await control("log", "--json", "--name", "org.coordinatord.kiosk").lines.count == 1)
    word.signal(SIGKILL)
    _ = await word.ended()
    let long = try await startKiosk(adding: ["COORDINATORD_NAME": "org.coordinatord.kiosk"])
    #expect(try await control("--name", "kiosk", "tree").lines == ["mine  [1 home]"])
    let status = try await control("status", "--name", "org.coordinatord.kiosk")
    #expect(status.output.contains("State: \(standard.bus.directory)/kiosk\n"), "\(status)")
    long.signal(SIGTERM)
    _ = await long.ended()
  }

  @Test("The first call starts a daemon by its activation file, and leaves the other alone")
  func callActivatesNamedDaemon() async throws {
    let state = standard.bus.directory
    let activating = try ActivatingBus([
      "org.coordinatord.kiosk":
        "/usr/bin/env XDG_STATE_HOME=\(state) XDG_CONFIG_HOME=\(state) \(Built.executable("coordinatord")) --name kiosk",
      "org.coordinatord.Coordinator1": nil,
    ])
    let environment = RunningDaemon.environment(of: activating.bus)
    let tool = try Built.executable("coordinatorctl")
    let start = try await Program.run(
      [tool, "--name", "kiosk", "start", "pets", "--token", "mine"], environment: environment)
    #expect(start.status == .exited(0), "\(start)")
    let tree = try await Program.run([tool, "tree", "--name", "kiosk"], environment: environment)
    #expect(tree.lines == ["mine  [1 home]"], "\(tree)")
    #expect(FileManager.default.fileExists(atPath: "\(state)/kiosk/journal.sqlite"))
    let busctl = ["/usr/bin/dbus-send", "--bus=\(activating.bus.address)", "--print-reply", "--dest=org.freedesktop.DBus"]
    let names = try await Program.run(busctl + ["/", "org.freedesktop.DBus.ListNames"], environment: environment)
    #expect(names.output.contains("org.coordinatord.kiosk") && !names.output.contains("Coordinator1"), "\(names)")
  }

  @Test("Two programs serve scripts side by side, each to its daemon, and each daemon runs its own")
  func scriptsAreApart() async throws {
    let kiosk = try await startKiosk("--name", "kiosk")
    var engines: [Program] = []
    for (flow, options) in [("one", []), ("two", ["--daemon", "kiosk"])] {
      let directory = "\(standard.bus.directory)/\(flow)-flows"
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
      let script = "#!/bin/sh\n# coordinator: title=\(flow)\nask message here Here >/dev/null\n"
      try ExecutableFile.write(script, to: "\(directory)/\(flow)")
      let environment = standard.environment.merging(["XDG_RUNTIME_DIR": standard.bus.directory]) { $1 }
      engines.append(
        try Program([Built.executable("coordinator-scripts"), "--flows", directory] + options, environment: environment))
    }
    try await poll { try await flows().contains("one") }
    try await poll { try await flows("--name", "kiosk").contains("two") }
    #expect(try await !flows().contains("two"))
    #expect(try await !flows("--name", "kiosk").contains("one"))
    #expect(try await control("start", "two", "--token", "mine", "--name", "kiosk").status == .exited(0))
    try await poll { try await control("show", "mine", "--name", "kiosk").output.contains("Here") }
    let log = try await control("script", "log", "mine", "--name", "kiosk")
    #expect(log.status == .exited(0), "\(log)")
    for program in engines + [kiosk] {
      program.signal(SIGTERM)
      #expect(await program.ended().status == .exited(0))
    }
  }

  @Test("A name that no daemon can have is refused", arguments: ["", "a/b", "..", "1st", "org..kiosk", "Scripts"])
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
