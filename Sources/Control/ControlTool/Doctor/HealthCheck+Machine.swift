import Platform

/// A unit of the service manager, as it lists units.
struct UnitState: Sendable, Hashable {
  var name: String
  /// "loaded", "not-found", "masked", "bad-setting" or "error".
  var load: String
  /// "active", "inactive", "failed", "activating" and others.
  var active: String
}

/// What the doctor finds out about a state directory.
struct DirectoryFacts: Sendable, Hashable {
  var path: String
  /// The permission bits; nil if there is no such directory.
  var mode: UInt32?
  /// The bytes that its file system has left; nil if that cannot be read.
  var free: UInt64?
  /// Whether the file system is mounted read-only.
  var isReadOnly = false
  /// The names of databases that were damaged and have been moved aside.
  var damaged: [String] = []
}

extension HealthCheck {
  /// Returns the result about the program that serves scripts.
  ///
  /// - Parameters:
  ///   - isRunning: whether it serves.
  ///   - isActivatable: whether the bus starts it.
  ///   - scripts: number of executable files in the directories of scripts.
  ///   - unserved: number of files whose mistakes keep the program from serving them.
  ///   - directories: the directories that exist.
  ///   - facts: what is known of the daemon.
  /// - Returns: the result.
  static func engine(
    isRunning: Bool, isActivatable: Bool, scripts: Int, unserved: Int, in directories: [String], _ facts: DaemonFacts
  ) -> HealthCheck {
    var check = engine(isRunning: isRunning, isActivatable: isActivatable, scripts: scripts, in: directories, facts)
    guard unserved > 0 else { return check }
    check.text += "; \(unserved) file\(unserved == 1 ? " has a mistake, and is" : "s have mistakes, and are") not served"
    if check.state == .ok { check.state = .warning }
    check.advice.append("see why: coordinator-scripts files\(facts.isSystem ? " --system" : "")")
    return check
  }

  private static func engine(
    isRunning: Bool, isActivatable: Bool, scripts: Int, in directories: [String], _ facts: DaemonFacts
  ) -> HealthCheck {
    let count = "\(scripts) script\(scripts == 1 ? "" : "s") in \(directories.joined(separator: ", "))"
    if isRunning { return HealthCheck("engine", "coordinator-scripts runs; \(scripts == 0 ? "there are no scripts" : count)") }
    if scripts == 0 { return HealthCheck("engine", "coordinator-scripts does not run, and there are no scripts") }
    if isActivatable { return HealthCheck("engine", "coordinator-scripts does not run; it starts when it is needed; \(count)") }
    if facts.process == nil, facts.hasManager {
      return HealthCheck("engine", "coordinator-scripts starts with the daemon; \(count)")
    }
    return HealthCheck(
      "engine", .warning, "coordinator-scripts does not run, so scripts are no flows: \(count)",
      advice: [
        facts.hasManager
          ? "start it: \(facts.systemctl) start coordinator-scripts"
          // As root, it would serve only the scripts that run as root, and could have the runtime directory of another user.
          : facts.isSystem
            ? "start it: runuser -u coordinatord-scripts -- env -u XDG_RUNTIME_DIR coordinator-scripts --system &"
            : "start it: coordinator-scripts &"
      ])
  }

  /// Returns the result about the units of the service manager.
  ///
  /// - Parameters:
  ///   - units: those whose names begin with "coordinator"; nil if there is no service manager on the bus.
  ///   - facts: what is known of the daemon.
  /// - Returns: the result.
  static func units(_ units: [UnitState]?, _ facts: DaemonFacts) -> HealthCheck {
    guard let units else {
      return HealthCheck("units", "no service manager is on this bus: the bus starts the daemon, without a sandbox or a watchdog")
    }
    let bad = units.filter { $0.active == "failed" || ["bad-setting", "error"].contains($0.load) }
    guard bad.isEmpty else {
      return HealthCheck(
        "units", .failed, bad.map { "\($0.name) (\($0.active == "failed" ? "failed" : $0.load))" }.joined(separator: ", "),
        advice: bad.prefix(3).map { "see why: \(facts.systemctl) status \($0.name); \(facts.journalctl) -b -u \($0.name)" }
          + ["then: \(facts.systemctl) restart \(bad.map(\.name).joined(separator: " "))"])
    }
    let known = units.filter { $0.load == "loaded" }.map { "\($0.name) \($0.active)" }
    return HealthCheck("units", known.isEmpty ? "none is loaded" : known.joined(separator: ", "))
  }

  /// Returns the result about lingering.
  ///
  /// - Parameters:
  ///   - isLingering: whether the user's services run while the user is not logged in.
  ///   - user: name of the user.
  /// - Returns: the result.
  static func lingering(_ isLingering: Bool, user: String) -> HealthCheck {
    isLingering
      ? HealthCheck("lingering", "on: flows of \(user) also go on while \(user) is not logged in")
      : HealthCheck(
        "lingering", "off: flows of \(user) pause while \(user) is not logged in, and go on at the next login",
        advice: ["if they must not pause: loginctl enable-linger \(user)"])
  }

  /// Returns the result about the state directory.
  static func state(_ facts: DirectoryFacts, isRunning: Bool) -> HealthCheck {
    guard let mode = facts.mode else {
      return isRunning
        ? HealthCheck(
          "state", .warning, "\(facts.path) does not exist or cannot be seen, though the daemon runs",
          advice: ["name the directory of its unit or command line: coordinatorctl log --state-dir DIR"])
        : HealthCheck("state", "\(facts.path) does not exist yet; the daemon creates it")
    }
    if facts.isReadOnly {
      return HealthCheck(
        "state", .failed, "\(facts.path) is on a read-only file system",
        advice: ["mount it writable; see the kernel log: journalctl -k"])
    }
    let free = facts.free.map { "\($0 >> 20) MiB free" }
    let room = "\(facts.path)\(free.map { ", \($0)" } ?? "")"
    if let bytes = facts.free, bytes < 64 << 20 {
      return HealthCheck(
        "state", bytes < 1 << 20 ? .failed : .warning, "\(room): on a full disk, nothing can be started or answered",
        advice: ["free some space; the daemon then continues by itself"])
    }
    if mode & 0o077 != 0 {
      return HealthCheck(
        "state", .warning, "others may look into \(facts.path)", advice: ["chmod 700 \(ShellText.word(facts.path))"])
    }
    guard facts.damaged.isEmpty else {
      return HealthCheck(
        "state", .warning, "\(room); a database was damaged and moved aside: \(facts.damaged.joined(separator: ", "))",
        advice: ["sqlite3 FILE .recover recovers most of it; check the disk: journalctl -k"])
    }
    return HealthCheck("state", room)
  }
}
