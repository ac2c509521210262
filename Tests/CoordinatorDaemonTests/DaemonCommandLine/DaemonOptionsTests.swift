import CoordinatorDaemon
import CoordinatorJournal
import DBus
import Logging
import Testing

@testable import ConfigurationFiles
@testable import DaemonCommandLine

@Suite("Daemon command-line options", .timeLimit(.minutes(5)))
struct DaemonOptionsTests {
  /// Reads the configuration that the options give a daemon that finds no files.
  private func read(_ options: [String], _ environment: [String: String] = [:]) throws -> DaemonSource.Reading {
    let nowhere = ["XDG_CONFIG_DIRS": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "HOME": "/home/x"]
    let arguments = try DaemonOptions.parse(options).arguments()
    return arguments.source(version: "7", environment: environment.merging(nowhere) { $1 }).read()
  }

  /// Returns the problems with the options.
  private func problems(_ options: [String], _ environment: [String: String] = [:]) throws -> [String] {
    try read(options, environment).configuration.problems.map(\.description)
  }

  @Test("Without options, a daemon uses the library's defaults")
  func withoutOptionsDefaultsApply() throws {
    let read = try read(["--state-dir", "/x"])
    var expected = DaemonConfiguration(journal: JournalConfiguration(directory: "/x"), version: "7")
    (expected.providers, expected.scripts) = (read.daemon.providers, read.daemon.scripts)
    #expect(read.daemon == expected)
    #expect(read.daemon.providers.directories.last == "/usr/share/coordinatord/providers")
    #expect(read.daemon.scripts.last == "/usr/share/coordinatord/flows")
    #expect(read.configuration.problems.isEmpty)
    let directory = try self.read([]).daemon.journal?.directory
    #expect(directory?.hasSuffix("/.local/state/coordinatord") == false, "another program's")
    #expect(read.configuration[DaemonKey.logLevel] == .notice)
  }

  @Test("Every option reaches the daemon's configuration")
  func everyOptionReachesTheDaemon() throws {
    let read = try read([
      "--address", "unix:path=/x", "--replace", "--ephemeral", "--log-level", "debug", "--handler-deadline", "8",
      "--idle-exit", "5min",
      "--max-flows", "1", "--max-flows-per-client", "2", "--max-depth", "3", "--max-items", "4", "--max-payload", "5K",
      "--max-outcomes", "6",
      "--max-calls-per-client", "10",
      "--max-calls", "11",
      "--max-call-bytes-per-client", "12",
      "--max-call-bytes", "13",
      "--max-input-bytes-per-client", "14",
      "--max-input-bytes", "15",
      "--max-renderers", "16",
      "--max-attachments", "17",
      "--max-registered-flows", "18",
      "--max-registered-bytes", "19",
      "--providers", "/p",
    ])
    var expected = DaemonConfiguration(
      bus: .address("unix:path=/x"), replace: true, handlerDeadline: .seconds(8), idleExit: .seconds(300), version: "7")
    expected.limits.maxFlows = 1
    expected.limits.maxFlowsPerClient = 2
    expected.limits.maxDepth = 3
    expected.limits.maxItems = 4
    expected.limits.maxPayload = 5 << 10
    expected.limits.maxOutcomes = 6
    expected.limits.maxCallsPerClient = 10
    expected.limits.maxCalls = 11
    expected.limits.maxCallBytesPerClient = 12
    expected.limits.maxCallBytes = 13
    expected.limits.maxInputBytesPerClient = 14
    expected.limits.maxInputBytes = 15
    expected.limits.maxRenderers = 16
    expected.limits.maxAttachments = 17
    expected.limits.maxRegisteredFlows = 18
    expected.limits.maxRegisteredBytes = 19
    (expected.providers, expected.scripts) = (read.daemon.providers, read.daemon.scripts)
    #expect(read.daemon == expected)
    #expect(read.daemon.providers.directories.first == "/p")
    #expect(read.configuration[DaemonKey.logLevel] == .debug)
  }

  @Test("The journal options reach the daemon, and conflicting or invalid ones are refused")
  func journalOptionsReachTheDaemon() throws {
    let read = try read(["--state-dir", "/x", "--sync", "off", "--max-history", "7", "--max-outcomes", "8"])
    #expect(read.daemon.journal == JournalConfiguration(directory: "/x", sync: .off, maxOutcomes: 8, maxHistory: 7))
    #expect(throws: (any Error).self) { try DaemonOptions.parse(["--state-dir", "/x", "--ephemeral"]) }
    #expect(throws: (any Error).self) { try DaemonOptions.parse(["--sync", "twice"]) }
    #expect(try self.read(["--state-dir", "x"]).daemon.journal?.directory.hasPrefix("/") == true)
  }

  @Test(
    "Every key whose option has a value accepts it on the command line, and it overrides the variable",
    arguments: DaemonKey.all.filter { $0.name != DaemonKey.ephemeral.entry.name })
  func optionOverridesItsVariable(key: KeyEntry) throws {
    let flag = try #require(key.flag)
    let prefix = ConfigurationSource.prefix(of: try DaemonOptions.parse([]).arguments().source().program)
    let isGroup = key.name == DaemonKey.group.entry.name
    // A word, a number, or a path, depending on the key, and an existing group for a group.
    let values = (isGroup ? ["root"] : ["off", "77", "/x", "info"]).filter(key.isValid)
    let value = try #require(values.first)
    let environment = [key.variable(prefix: prefix): values.last ?? value]
    let read = try read((isGroup ? ["--system"] : []) + ["--\(flag)", value], environment).configuration
    #expect(read.problems.isEmpty)
    #expect(read.text(of: key) == value)
    #expect(read.origin(of: key) == .flag(flag))
    #expect(try self.read([], environment).configuration.origin(of: key) == .variable(key.variable(prefix: prefix)))
  }

  @Test("A state directory conflicts with an inherited ephemeral setting, and --ephemeral overrides an inherited directory")
  func stateDirectoryConflictsWithInheritedEphemeral() throws {
    let prefix = ConfigurationSource.prefix(of: try DaemonOptions.parse([]).arguments().source().program)
    let keepsNothing = ["\(prefix)_EPHEMERAL": "yes"]
    #expect(try read([], keepsNothing).daemon.journal == nil)
    #expect(try read(["--no-ephemeral"], keepsNothing).daemon.journal != nil)
    #expect(
      try problems(["--state-dir", "/x"], keepsNothing) == [
        "--state-dir: StateDirectory=/x: cannot be combined with Ephemeral=yes ($\(prefix)_EPHEMERAL)"
      ])
    #expect(try problems(["--ephemeral"], ["\(prefix)_STATE_DIRECTORY": "/x"]).isEmpty)
  }

  @Test("Options that conflict with the selected bus are reported as problems")
  func optionsThatConflictWithBusAreProblems() throws {
    let prefix = ConfigurationSource.prefix(of: try DaemonOptions.parse([]).arguments().source().program)
    #expect(try problems(["--system"], ["\(prefix)_ADDRESS": "unix:path=/x"]).count == 1)
    #expect(try problems([], ["\(prefix)_GROUP": "root"]).count == 1)
    #expect(try problems(["--system"], ["\(prefix)_GROUP": "no-such-group"]).count == 1)
    #expect(try read(["--system"], ["\(prefix)_GROUP": "root"]).daemon.group?.number == 0)
    let places = try DaemonOptions.parse(["--system"]).arguments().source().source.places
    #expect(places.files.allSatisfy { $0.hasPrefix("/etc/") })
  }

  @Test("Every log level can be selected by its name")
  func everyLogLevelHasAName() throws {
    let named = try Logger.Level.allCases.map { try read(["--log-level", $0.rawValue]).configuration[DaemonKey.logLevel] }
    #expect(named == Logger.Level.allCases)
  }
}
