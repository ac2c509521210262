import CoordinatorKit
import DBus
import Platform
import Testing

@testable import ControlTool
@testable import CoordinatorClient
@testable import RendererKit

@Suite("What 'coordinatorctl doctor' makes of what it finds", .timeLimit(.minutes(5)))
struct HealthCheckTests {
  private let running = DaemonFacts(
    process: DaemonProcess(number: 42, user: 1000), hasManager: true,
    properties: ["Version": .string("1.0"), "ActiveFlows": .uint32(8), "MaxFlows": .uint32(10)], uptime: "5m", userName: "ada")

  private func states(_ checks: HealthCheck?...) -> [HealthCheck.State?] { checks.map { $0?.state } }

  @Test("A report has a line for each check, with the advice below it, and fails if a check has failed")
  func reportHasALineForEachCheck() {
    let report = HealthReport(checks: [
      HealthCheck("bus", "reached: x"), HealthCheck("limits", .warning, "many", advice: ["end some", "raise\u{1B}[2J"]),
    ])
    #expect(
      report.lines(style: TextStyle()) == [
        "ok       bus     reached: x", "warning  limits  many", "                 -> end some",
        "                 -> " + "raise\u{1B}[2J".printable,
      ])
    #expect(report.exit == .success)
    #expect(report.json["warnings"] == 1)
    #expect(report.json["checks"]?[1]?["advice"]?[0] == "end some")
    #expect(HealthReport(checks: [HealthCheck("bus", .failed, "no")]).exit == .error)
    #expect(HealthReport(checks: [HealthCheck("bus", .failed, "no")]).json["failed"] == 1)
  }

  @Test("Without a session, the advice depends on whether sudo has taken it away")
  func missingSessionIsExplained() {
    let plain = HealthCheck.unreachable(.session, "no address", environment: [:])
    #expect(plain.state == .failed && plain.advice.contains { $0.contains("--system") })
    let sudo = HealthCheck.unreachable(.session, "no address", environment: ["SUDO_USER": "ada"])
    #expect(sudo.advice.first?.contains("without sudo, as ada") == true)
    #expect(HealthCheck.unreachable(.system, "no such file", environment: [:]).advice.first?.contains("dbus") == true)
  }

  @Test("A daemon that does not run has failed only if the bus cannot start it")
  func absentDaemon() {
    var facts = DaemonFacts(isActivatable: true)
    #expect(HealthCheck.daemon(facts) == HealthCheck("daemon", "does not run; the next call starts it"))
    facts.isActivatable = false
    #expect(HealthCheck.daemon(facts).state == .failed)
    #expect(HealthCheck.daemon(facts).advice.first == "start it: coordinatord &")
    facts.hasManager = true
    facts.isSystem = true
    #expect(HealthCheck.daemon(facts).advice.first == "start it: systemctl start coordinatord")
  }

  @Test("A daemon that does not let its caller call is told from one that does not answer")
  func refusals() {
    #expect(HealthCheck.daemon(running) == HealthCheck("daemon", "runs: process 42 of user ada, up 5m"))
    var facts = running
    facts.isSystem = true
    facts.refusal = .failed(.accessDenied("no"))
    #expect(HealthCheck.daemon(facts).advice.first?.contains("adduser USER coordinatord") == true)
    facts.refusal = .failed(.failed("late"))
    #expect(HealthCheck.daemon(facts).advice.last == "start it again: systemctl restart coordinatord")
    #expect(HealthCheck.daemon(facts).state == .failed)
  }

  @Test("Another version, and a replaced program, are warnings")
  func versions() {
    #expect(HealthCheck.version(running, own: "1.0") == HealthCheck("version", "1.0"))
    #expect(HealthCheck.version(running, own: nil)?.state == .ok)
    let other = HealthCheck.version(running, own: "1.1")
    #expect(other?.advice == ["start the installed version: systemctl --user restart coordinatord"])
    var facts = running
    facts.isReplaced = true
    #expect(HealthCheck.version(facts, own: "1.0")?.state == .warning)
    #expect(HealthCheck.version(DaemonFacts(), own: "1.0") == nil)
  }

  @Test("Four fifths of a limit are a warning, and all of it is a failure")
  func limits() {
    func check(_ flows: UInt32) -> HealthCheck? {
      var facts = running
      facts.properties?["ActiveFlows"] = .uint32(flows)
      return .limits(facts)
    }
    #expect(states(check(8), check(9), check(10)) == [.ok, .warning, .failed])
    #expect(check(10)?.text == "10 of at most 10 flow trees: no flow can be started")
  }

  @Test("Scripts that nobody serves are a warning, unless the engine starts by itself")
  func engine() {
    func check(
      _ isRunning: Bool, _ isActivatable: Bool, _ scripts: Int, _ facts: DaemonFacts, unserved: Int = 0
    ) -> HealthCheck {
      .engine(
        isRunning: isRunning, isActivatable: isActivatable, scripts: scripts, unserved: unserved, in: ["/flows"], facts)
    }
    let fine = [check(true, false, 0, running), check(false, false, 0, running), check(false, true, 2, running)]
    #expect(fine.allSatisfy { $0.state == .ok })
    let missing = check(false, false, 1, running)
    #expect(missing.state == .warning && missing.text.hasSuffix("1 script in /flows"))
    #expect(missing.advice == ["start it: systemctl --user start coordinator-scripts"])
    #expect(check(false, false, 1, DaemonFacts(hasManager: true)).state == .ok, "it starts with the daemon")
    let faulty = check(true, false, 3, running, unserved: 2)
    #expect(faulty.state == .warning && faulty.text.hasSuffix("3 scripts in /flows; 2 files have mistakes, and are not served"))
    #expect(faulty.advice == ["see why: coordinator-scripts files"])
  }

  @Test("Units that have failed, or cannot be loaded, are failures; no service manager is none")
  func units() {
    #expect(HealthCheck.units(nil, running).state == .ok)
    let fine = UnitState(name: "coordinatord.service", load: "loaded", active: "active")
    #expect(HealthCheck.units([fine], running) == HealthCheck("units", "coordinatord.service active"))
    #expect(HealthCheck.units([], running).text == "none is loaded")
    let bad = UnitState(name: "coordinator-web.service", load: "loaded", active: "failed")
    let check = HealthCheck.units([fine, bad], running)
    #expect(check.state == .failed && check.text == "coordinator-web.service (failed)")
    #expect(check.advice.last == "then: systemctl --user restart coordinator-web.service")
  }

  @Test("A state directory is judged by its room, its mode, and databases that were moved aside")
  func stateDirectory() {
    func check(_ change: (inout DirectoryFacts) -> Void, isRunning: Bool = true) -> HealthCheck.State {
      var facts = DirectoryFacts(path: "/state", mode: 0o700, free: 1 << 30)
      change(&facts)
      return HealthCheck.state(facts, isRunning: isRunning).state
    }
    #expect(check { _ in } == .ok)
    #expect(check { $0.free = 10 << 20 } == .warning)
    #expect(check { $0.free = 0 } == .failed)
    #expect(check { $0.isReadOnly = true } == .failed)
    #expect(check { $0.mode = 0o755 } == .warning)
    #expect(check { $0.damaged = ["journal.sqlite.damaged-x"] } == .warning)
    #expect(check({ $0.mode = nil }, isRunning: false) == .ok)
    #expect(check { $0.mode = nil } == .warning)
  }

  @Test("A provider that fails is a failure, one that is away a warning, and what is held is named with its reason")
  func providersAndHolds() {
    let builtIn = ProviderListing(name: "org.example.Own", origin: "builtin", state: "running", flows: ["pets"])
    let away = ProviderListing(name: "com.example.Cafe", origin: "file", state: "away", flows: ["coffee"])
    let failing = ProviderListing(name: "", origin: "file", state: "failing", problem: "no BusName=", file: "/p.conf")
    let all = states(.providers([builtIn]), .providers([builtIn, away]), .providers([away, failing]))
    #expect(all == [.ok, .warning, .failed])
    #expect(HealthCheck.providers([failing]).text == "/p.conf (failing: no BusName=)")
    #expect(HealthCheck.held([]).state == .ok)
    let many = HealthCheck.held((1...7).map { ("t\($0)", "gone") })
    #expect(many.state == .warning && many.text.hasPrefix("t1 (gone); ") && many.text.hasSuffix("t5 (gone); and 2 more"))
  }
}
