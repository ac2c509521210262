import ArgumentParser
import CoordinatorBus
import CoordinatorKit
import CoordinatorPrograms
import CoordinatorProvider
import CoordinatorScripts
import DBus
import Glibc
import Hardening
import Platform

/// Serves the scripts of the directories until the process receives a signal to end.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "serve", abstract: "Serve scripts to coordinatord.")

  @Option(help: "Use the bus at this D-Bus address.")
  var address: String?

  @OptionGroup var place: ScriptPlaceOptions

  @Option(
    help: "Serve scripts to the daemon of this name: kiosk stands for org.coordinatord.kiosk. (default: $COORDINATORD_NAME)",
    transform: { try DaemonName($0) })
  var daemon: DaemonName?

  @Option(
    help: ArgumentHelp(
      "Serve under this bus name, and only scripts whose header names the user of this process.", valueName: "bus name"))
  var name: String?

  @Flag(help: "Take the bus name from a running process that serves scripts.")
  var replace = false

  @Option(
    help: """
      End after so many seconds in which nothing was asked; 60 if D-Bus has started the program and there is no script, otherwise \
      never.
      """)
  var idleExit: Int?

  @Flag(
    help: ArgumentHelp(
      "End with 75 if the program's file was replaced, when coordinatord has restarted and no step is performed.",
      discussion: "For a unit that starts it again, in the new version."))
  var endWhenReplaced = false

  @Option(help: "When to end the process of a script that waits: after a minute, or always, which is for tests.")
  var evict = Eviction.patiently

  func validate() throws {
    if place.system && address != nil { throw ValidationError("--system and --address are mutually exclusive") }
    if let idleExit, idleExit < 1 { throw ValidationError("--idle-exit needs a number of seconds") }
    do { try DaemonName.choose(orOfEnvironment: daemon) } catch { throw ValidationError("\(error)") }
  }

  func run() async throws {
    ProcessHardening.forbidDumps()
    let signals = ProcessSignals.take([SIGTERM, SIGINT])
    let connection = try await Connection.open(address.map { BusAddress.address($0) } ?? (place.system ? .system : .session))
    let translations = Translations(
      domains: [Translations.domain],
      directories: Translations.usualDirectories(isShared: place.system, environment: Environment.value)
    ) { Self.complain("\($0)", isWarning: true) }
    let service = try ScriptService(
      ScriptFiles(place.places, of: place.owner(takesNameless: name == nil)) { Self.complain($0) },
      directory: try RuntimeDirectory.path(), translations: translations,
      patience: evict.patience,
      report: { Self.complain("\($0): \($1)") }, failed: { Self.complain("\($0): \($1)", isWarning: true) })
    let watch = DirectoryWatch(place.places.directories, on: connection.loop) { Task { service.reload() } }
    defer { withExtendedLifetime(watch) { service.end() } }
    let isStarted = getenv("DBUS_STARTER_BUS_TYPE") != nil || getenv("DBUS_STARTER_ADDRESS") != nil
    let endsWhenReplaced = endWhenReplaced
    let isOutdated: @Sendable () -> Bool = { endsWhenReplaced && OwnProgram.isReplaced }
    // Live programs of root are shown by the process that serves the other scripts of the system, which cannot start any.
    let programs =
      try place.isForRoot
      ? [:] : [ProgramService.flow: ProgramService(translations: translations) { Self.complain($0, isWarning: true) }]
    // The daemon learns of scripts from this process alone, so it stays as long as there are any.
    let isSpare = isStarted && service.scripts.isEmpty
    let provider = Provider(
      of: JoinedServices(programs, others: service),
      name: name ?? (place.isForRoot ? Contract.scriptsOfRootName : Contract.scriptsName),
      replaces: replace,
      idleTime: idleExit.map { Duration.seconds($0) } ?? (isSpare ? .seconds(60) : nil), isOutdated: isOutdated
    ) { Self.complain($0) }
    try await connection.export(ScriptsObject(service, on: connection), at: ScriptsObject.path)
    let serving = Task { try await provider.serve(on: connection) }
    let obedience = Task {
      guard let signals else { return }
      for await _ in signals { serving.cancel() }
    }
    defer { obedience.cancel() }
    try await serving.value
    // The service manager sends SIGTERM when the connection, and its name with it, ends.
    let isToBeStartedAgain = isOutdated() && !serving.isCancelled
    await connection.close()
    if isToBeStartedAgain { throw ExitCode(Self.outdatedStatus) }
  }

  /// EX_TEMPFAIL of sysexits(3).
  private static let outdatedStatus: Int32 = 75

  static func absolute(_ path: String) -> String {
    guard !path.bytes.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }

  static func complain(_ line: String, isWarning: Bool = false) {
    // Scripts print text that users have typed: it must stay one line, and must not look like the output of another program.
    let priority = isWarning && JournalStream.isStandardError ? "<4>" : ""
    let bytes = Array("\(priority)coordinator-scripts: \(line.printable)\n".utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
