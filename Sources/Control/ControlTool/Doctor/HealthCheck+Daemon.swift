import CoordinatorBus
import CoordinatorClient
import DBus
import Platform

/// What the doctor finds out about the bus and its daemon.
struct DaemonFacts: Sendable, Hashable {
  /// The process that owns the daemon's name; nil if none does.
  var process: DaemonProcess?
  /// Whether the bus starts the daemon when it is called.
  var isActivatable = false
  /// Whether a service manager is on the bus.
  var hasManager = false
  /// Whether the bus is that of the system.
  var isSystem = false
  /// The daemon's properties by name; nil if it has not answered.
  var properties: [String: Value]?
  /// Why it has not answered; nil if it has, or was not asked.
  var refusal: ClientError?
  /// Whether another file has replaced the program since the daemon started; nil if that cannot be seen.
  var isReplaced: Bool?
  /// How long it runs, such as "5m"; nil if that is not known.
  var uptime: String?
  /// The name of the user that it runs as; nil if it has none.
  var userName: String?

  /// The arguments of systemctl for units on this bus.
  var systemctl: String { isSystem ? "systemctl" : "systemctl --user" }
  /// The arguments of journalctl for units on this bus.
  var journalctl: String { isSystem ? "journalctl" : "journalctl --user" }
}

extension HealthCheck {
  /// Returns the result for a bus that could be reached.
  static func reached(_ bus: BusAddress) -> HealthCheck { HealthCheck("bus", "reached: \(name(of: bus))") }

  /// Returns the result for a bus that could not be reached.
  ///
  /// - Parameters:
  ///   - bus: the bus.
  ///   - reason: the error.
  ///   - environment: environment of this process.
  /// - Returns: the result.
  static func unreachable(_ bus: BusAddress, _ reason: String, environment: [String: String]) -> HealthCheck {
    let advice: [String] =
      switch bus {
      case .system: ["install and start the system bus: apt-get install dbus, and systemctl start dbus"]
      case .address: ["check the address, or leave --address out for your session bus"]
      case .session:
        (environment["SUDO_USER"].map { ["root has no session: run this without sudo, as \($0), or with --system"] } ?? [])
          + [
            "log in, instead of using su, so that there is a session; in a container: dbus-run-session -- COMMAND",
            "for the daemon of the whole machine: coordinatorctl doctor --system",
          ]
      }
    return HealthCheck("bus", .failed, "\(name(of: bus)) cannot be reached: \(reason)", advice: advice)
  }

  private static func name(of bus: BusAddress) -> String {
    switch bus {
    case .session: "\(bus)".bytes.hasPrefix("the session bus") ? "\(bus)" : "the session bus, \(bus)"
    case .system: "the system bus, \(bus)"
    case .address(let address): address
    }
  }

  /// Returns the result about the process of the daemon.
  static func daemon(_ facts: DaemonFacts) -> HealthCheck {
    guard let process = facts.process else { return absent(facts) }
    let user = facts.userName ?? "\(process.user)"
    let who = "process \(process.number) of user \(user)" + (facts.uptime.map { ", up \($0)" } ?? "")
    guard let refusal = facts.refusal else { return HealthCheck("daemon", "runs: \(who)") }
    if refusal.cause == .denied {
      return HealthCheck(
        "daemon", .failed, "runs (\(who)), but does not let you call it: \(refusal)",
        advice: facts.isSystem
          ? ["as root: adduser USER coordinatord; it counts from the next login on", "or run this as root"]
          : ["run this as the user of that process"])
    }
    return HealthCheck(
      "daemon", .failed, "runs (\(who)), but does not answer: \(refusal)",
      advice: facts.hasManager
        ? ["see why: \(facts.systemctl) status coordinatord", "start it again: \(facts.systemctl) restart coordinatord"]
        : ["start another one in its place: coordinatord --replace"])
  }

  private static func absent(_ facts: DaemonFacts) -> HealthCheck {
    if facts.isActivatable { return HealthCheck("daemon", "does not run; the next call starts it") }
    let file = "\(Contract.busName).service"
    let start = facts.hasManager ? "\(facts.systemctl) start coordinatord" : "coordinatord \(facts.isSystem ? "--system " : "")&"
    return HealthCheck(
      "daemon", .failed, "does not run, and the bus cannot start it",
      advice: [
        "start it: \(start)",
        "or let the bus start it: install \(file) in share/dbus-1/\(facts.isSystem ? "system-services" : "services"), as the package does",
      ])
  }

  /// Returns the result about the version of a daemon that has answered; nil if it has not.
  ///
  /// - Parameters:
  ///   - facts: what is known of the daemon.
  ///   - own: version of this program; nil for a daemon with other versions.
  /// - Returns: the result.
  static func version(_ facts: DaemonFacts, own: String?) -> HealthCheck? {
    guard let version = facts.properties?["Version"]?.string else { return nil }
    let restart =
      facts.hasManager ? "\(facts.systemctl) restart coordinatord" : "coordinatord --replace &   (flows continue where they are)"
    if facts.isReplaced == true {
      return HealthCheck(
        "version", .warning, "\(version), whose program has been replaced by another file since it started",
        advice: ["start the new one: \(restart)"])
    }
    guard let own, !own.bytes.equals(version) else { return HealthCheck("version", version) }
    return HealthCheck(
      "version", .warning, "the daemon is \(version), this program is \(own)",
      advice: ["start the installed version: \(restart)"])
  }

  /// Returns the result about the limits of a daemon that has answered; nil if it has not.
  static func limits(_ facts: DaemonFacts) -> HealthCheck? {
    guard let flows = facts.properties?["ActiveFlows"]?.uint64, let most = facts.properties?["MaxFlows"]?.uint64 else {
      return nil
    }
    let text = "\(flows) of at most \(most) flow trees"
    let advice = [
      "see which: coordinatorctl list", "end those of a flow: coordinatorctl dismiss --flow FLOW", "or raise MaxFlows=",
    ]
    if flows >= most { return HealthCheck("limits", .failed, "\(text): no flow can be started", advice: advice) }
    let isMuch = flows > most - most / 5
    return HealthCheck("limits", isMuch ? .warning : .ok, text, advice: isMuch ? advice : [])
  }

  /// Returns the result about the programs that serve flows.
  static func providers(_ providers: [ProviderListing]) -> HealthCheck {
    let flows = providers.reduce(0) { $0 + $1.flows.count }
    let bad = providers.filter { $0.state == "failing" || $0.state == "away" }
    guard !bad.isEmpty else {
      let served = providers.count { $0.origin != "builtin" }
      return HealthCheck("providers", "\(flows) flows, served by the daemon itself and \(served) other programs")
    }
    let named = bad.map { provider in
      let name = provider.name.isEmpty ? provider.file ?? "?" : provider.name
      return "\(name) (\(provider.state)\(provider.problem.map { ": \($0)" } ?? ""))"
    }
    let fails = bad.contains { $0.state == "failing" }
    return HealthCheck(
      "providers", fails ? .failed : .warning, named.joined(separator: "; "),
      advice: [
        "start those that are away, or install their activation files",
        "see all: coordinatorctl providers; check a file: coordinatorctl provider check FILE",
      ])
  }

  /// Returns the result about what is held.
  ///
  /// - Parameter held: the held coordinators, each with the reason.
  /// - Returns: the result.
  static func held(_ held: [(name: String, reason: String)]) -> HealthCheck {
    guard !held.isEmpty else { return HealthCheck("held", "nothing is held") }
    let shown = held.prefix(5).map { "\($0.name) (\($0.reason))" }
    let more = held.count > shown.count ? ["and \(held.count - shown.count) more"] : []
    return HealthCheck(
      "held", .warning, (shown + more).joined(separator: "; "),
      advice: [
        "after fixing the cause: coordinatorctl retry",
        "or give one up: coordinatorctl dismiss TREE; reasons and remedies: operations.md, A flow is held",
      ])
  }
}
