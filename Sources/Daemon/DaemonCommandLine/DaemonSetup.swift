import ArgumentParser
import ConfigurationFiles
import CoordinatorBus
import CoordinatorDaemon
import CoordinatorKit
import Glibc
import Hardening
import Languages
import Logging
import Platform
import ProviderFiles
import ServiceLifecycle

/// A daemon whose configuration has been read and has no problems.
public struct DaemonSetup: Sendable {
  /// The configuration that was read at the start.
  public let configuration: Configuration
  /// The daemon's logger, at the configured level. It writes to stderr or, if systemd started the process, to the
  /// journal with fields. Data sources may log with it, too.
  public let logger: Logger
  let daemon: DaemonConfiguration
  let source: DaemonSource
  /// The level of ``logger``.
  let threshold: LogThreshold
  /// The configuration that was read last.
  let current: Lock<Configuration>

  /// Reads the configuration.
  ///
  /// - Parameters:
  ///   - source: the sources of the configuration.
  ///   - target: the target that problems are written to.
  ///   - flows: the flows that sections may name; nil if they are still unknown.
  ///   - check: a closure that reports further problems.
  /// - Throws: `ExitCode` 78 if there are problems. All of them have then been written.
  init(
    _ source: DaemonSource, target: LogTarget = .standardError, flows: FlowCatalogue? = nil,
    checking check: (inout Configuration) async -> Void = { _ in }
  ) async throws {
    let reading = source.read()
    var configuration = reading.configuration
    await check(&configuration)
    if let flows { configuration.refuseSections(notIn: flows, reading.daemon.providers) }
    try configuration.requireNoProblems(target, of: source.program)
    self.source = source
    self.configuration = configuration
    daemon = reading.daemon
    current = Lock(configuration)
    threshold = LogThreshold(configuration[DaemonKey.logLevel])
    let handler = JournalLogHandler(label: source.program, threshold: threshold, target: target)
    logger = Logger(label: source.program) { _ in handler }
  }

  /// Serves flows until SIGTERM or SIGINT arrives or another daemon takes over. SIGHUP reloads the configuration.
  ///
  /// From this call on, the process is not dumpable, because users type secrets into its flows.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - domain: the name of the files with the translations of these flows; see ``makeDaemon(_:domain:)``.
  /// - Throws: `ExitCode.failure` if there is no bus, the name is taken or the bus connection is lost; `ExitCode` 78 if
  ///   the configuration restricts a flow that the catalogue does not contain. The reason has then been written to
  ///   stderr.
  public func serve(_ catalogue: FlowCatalogue, domain: String? = nil) async throws {
    var checked = configuration
    checked.refuseSections(notIn: catalogue, daemon.providers)
    try checked.requireNoProblems(.standardError, of: source.program)
    ProcessHardening.forbidDumps()
    ProcessHardening.keepFilesPrivate()
    ProcessHardening.surviveFileSizeLimit()
    // The connection is opened while translations are read.
    let opening = BusOpening(self.daemon, logger: logger)
    var daemon = makeDaemon(catalogue, domain: domain)
    daemon.opening = opening
    let signals = ProcessSignals.take([SIGHUP, SIGTERM, SIGINT])
    let group = ServiceGroup(
      configuration: .init(
        services: [
          // With a name, because a description of the daemon would make the runtime search all conformances, twice.
          .init(service: daemon, successTerminationBehavior: .gracefullyShutdownGroup, serviceName: source.program)
        ],
        // The daemon logs the same events more clearly.
        logger: Logger(label: source.program, factory: SwiftLogNoOpLogHandler.init)))
    let obedience = Task { [daemon] in await obey(signals, daemon, in: group) }
    defer { obedience.cancel() }
    do {
      try await group.run()
    } catch {
      LogTarget.standardError.complain(String(describing: error), of: source.program)
      throw ExitCode.failure
    }
  }

  /// Handles signals until the stream ends.
  private func obey(_ signals: AsyncStream<Int32>?, _ daemon: Daemon, in group: ServiceGroup) async {
    guard let signals else { return logger.error("cannot handle signals: SIGTERM and SIGHUP end the daemon immediately") }
    let hadTerminal = isatty(STDIN_FILENO) == 1
    for await signal in signals {
      // SIGHUP also means that the terminal from which the daemon was started is gone.
      let isReload = signal == SIGHUP && !(hadTerminal && isatty(STDIN_FILENO) == 0)
      if isReload { await reload(daemon) } else { await group.triggerGracefulShutdown() }
    }
  }

  /// Returns the daemon that ``serve(_:domain:)`` runs, for your own service group that runs other services beside it.
  ///
  /// Unless the catalogue has translations, they are loaded: `LANGUAGE/LC_MESSAGES/DOMAIN.mo` in the usual directories and in
  /// the configured one. Files that cannot be read are logged, and so are sections `[Flow NAME]` of the configuration whose
  /// flow the catalogue does not contain.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - domain: the name of the files with the translations of these flows; nil for those that ship with coordinatord.
  /// - Returns: a daemon that does not serve yet.
  public func makeDaemon(_ catalogue: FlowCatalogue, domain: String? = nil) -> Daemon {
    var checked = configuration
    checked.refuseSections(notIn: catalogue, daemon.providers)
    // They restrict nothing; ``serve(_:domain:)`` has refused to start with them.
    for problem in checked.problems { logger.error("\(problem)") }
    var catalogue = catalogue
    if catalogue.translations.languages.count == 1 {
      // The kit has a few texts, which are in the catalogue that ships with coordinatord.
      let domains = ["coordinatord"] + [domain].compactMap(\.self)
      catalogue.translations = Translations(domains: domains, directories: source.translationDirectories(configuration)) {
        logger.warning("\($0)")
      }
    }
    return makeDaemon(translated: catalogue)
  }

  private func makeDaemon(translated catalogue: FlowCatalogue) -> Daemon {
    Daemon(catalogue: catalogue, configuration: daemon, logger: logger, serviceManager: ServiceManager())
  }
}

extension ExitCode {
  /// The exit status for an invalid configuration. Source: sysexits.h, `EX_CONFIG`.
  static let configuration = ExitCode(78)
}

extension DaemonSetup {
  /// Prints the effective settings and the contents of the provider files, as `--check-config` does. Blocks while files are
  /// read.
  ///
  /// - Parameter isBuiltIn: whether the daemon itself serves a flow.
  /// - Throws: `ExitCode` 78 if a provider file has problems. All of them have then been written to stderr.
  func checkProviders(isBuiltIn: (String) -> Bool) throws {
    let files = ProviderFiles.read(daemon.providers, isBuiltIn: isBuiltIn)
    print(configuration)
    for line in files.summary { print(line) }
    guard !files.allProblems.isEmpty else { return }
    for problem in files.allProblems { LogTarget.standardError.complain(problem.description, of: source.program) }
    throw ExitCode.configuration
  }
}

extension ProviderFiles {
  /// The contents of the files, as comments of a configuration file: each file with its bus name and the flows assigned to it.
  fileprivate var summary: [String] {
    guard !files.isEmpty else { return [] }
    return [""]
      + files.flatMap { file in
        let flows = entries.filter { $0.value.file.path == file.path }.map(\.key).sorted()
        let lost = losses[file.path] ?? []
        return ["# Provider file: \(file.path): \(file.busName): \(flows.joined(separator: " "))"]
          + lost.map { "#   without \($0.flow): \($0.reason)" }
      }
  }
}

/// The sources of a daemon's configuration, read at the start and at every reload.
struct DaemonSource: Sendable {
  let program: String
  let isSystem: Bool
  let replaces: Bool
  let version: String
  let keys: [KeyEntry]
  let source: ConfigurationSource

  /// A configuration and the daemon settings made from it. If ``configuration`` has problems, the settings must not be
  /// used.
  struct Reading: Sendable {
    var configuration: Configuration
    var daemon: DaemonConfiguration
  }

  /// Reads all sources.
  func read() -> Reading {
    var configuration = Configuration(keys, from: source)
    var daemon = DaemonConfiguration(&configuration, of: program, isSystem: isSystem)
    daemon.replace = replaces
    daemon.version = version
    daemon.providers = providerPlaces(configuration)
    daemon.scripts = scriptDirectories
    return Reading(configuration: configuration, daemon: daemon)
  }

  /// The directories with scripts, which `coordinator-scripts` reads as well.
  private var scriptDirectories: [String] {
    guard !isSystem else { return ["/etc/coordinatord/flows", "/usr/share/coordinatord/flows"] }
    let directories = BaseDirectories(environment: source.environment)
    return (directories.configuration + directories.data).map { "\($0)/coordinatord/flows" }
  }

  /// Returns the directories with provider files: the configured one, then the usual ones.
  private func providerPlaces(_ configuration: Configuration) -> ProviderPlaces {
    let daemon = DaemonName.chosenUnlessStandard ?? .standard
    let usual = isSystem ? ProviderPlaces.system(of: daemon) : .user(environment: source.environment, of: daemon)
    return ProviderPlaces([configuration[DaemonKey.providers]].compactMap(\.self) + usual.directories)
  }
}

extension DaemonSource {
  /// Returns the directories of translations, in ascending precedence: the usual ones, for a user's daemon also that of the
  /// user, and the configured one.
  func translationDirectories(_ configuration: Configuration) -> [String] {
    Translations.usualDirectories(isShared: isSystem) { source.environment[$0] }
      + [configuration[DaemonKey.translations]].compactMap(\.self)
  }
}

/// The result of reading a configuration again.
public enum Reload: Sendable, Hashable {
  /// The configuration was applied as far as possible: the names of the keys whose values changed, and of those whose values
  /// change only after a restart.
  case done(changed: [String], needRestart: [String])
  /// The configuration has problems; the previous settings still apply.
  case refused([ConfigurationProblem])
}

extension DaemonSetup {
  /// Reads the configuration again, as SIGHUP does, applies the settings that can change while the daemon runs, and logs the
  /// result. Operations in progress are not affected.
  ///
  /// - Parameter daemon: the daemon that ``makeDaemon(_:domain:)`` returned.
  /// - Returns: the result of the reload.
  @discardableResult
  public func reload(_ daemon: Daemon) async -> Reload {
    let result = await daemon.reload { () -> (DaemonConfiguration?, Reload) in
      var reading = source.read()
      reading.configuration.refuseSections(notIn: daemon.catalogue, reading.daemon.providers)
      guard reading.configuration.problems.isEmpty else { return (nil, .refused(reading.configuration.problems)) }
      return (reading.daemon, adopt(reading.configuration))
    }
    tell(of: result)
    return result
  }

  private func adopt(_ configuration: Configuration) -> Reload {
    let changed = current.withLock { current in
      defer { current = configuration }
      return configuration.changes(from: current).filter(\.reloads).map(\.name)
    }
    threshold.level = configuration[DaemonKey.logLevel]
    let needRestart = configuration.changes(from: self.configuration).filter { !$0.reloads }.map(\.name)
    return .done(changed: changed, needRestart: needRestart)
  }

  private func tell(of result: Reload) {
    switch result {
    case .done(let changed, let needRestart):
      logger.notice("configuration reloaded", metadata: ["changed": "\(changed.joined(separator: " "))"])
      guard !needRestart.isEmpty else { return }
      logger.warning("some changes require a restart", metadata: ["keys": "\(needRestart.joined(separator: " "))"])
    case .refused(let problems):
      for problem in problems { logger.error("invalid configuration", metadata: ["problem": "\(problem)"]) }
      logger.error("configuration not reloaded; all settings stay as they were")
    }
  }
}
