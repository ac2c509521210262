import ArgumentParser
import ConfigurationFiles
import CoordinatorBus
public import CoordinatorBus
import CoordinatorDaemon
import CoordinatorKit
import Platform

/// The parsed command line of a daemon.
public struct DaemonArguments: Sendable {
  /// The purpose for which the daemon is started.
  enum Task: Sendable { case serve, check, listKeys }

  var isSystem = false
  var replaces = false
  /// The name to serve under; nil for that of the program.
  var name: DaemonName?
  /// The only configuration file to read; nil for the usual ones.
  var file: String?
  var task = Task.serve
  var given: [GivenValue] = []

  /// Serves flows until SIGTERM or SIGINT arrives or another daemon takes over.
  ///
  /// From this call on, the process is not dumpable, because users type secrets into its flows.
  ///
  /// - Parameters:
  ///   - catalogue: the flows that can be started.
  ///   - domain: the name of the files with the translations of these flows; see Docs/languages.md.
  ///   - version: the value of the property `Version` on the bus.
  /// - Throws: `ExitCode`: failure if there is no bus, the name is taken or the bus connection is lost; 78 if the
  ///   configuration is wrong. The reason has then been written to stderr.
  public func serve(_ catalogue: FlowCatalogue, domain: String? = nil, version: String = Daemon.version) async throws {
    try await setUp(flows: catalogue, version: version).serve(catalogue, domain: domain)
  }

  /// Reads the configuration. Use it for a daemon that has additional configuration keys, or that must know the configuration
  /// before it can serve.
  ///
  /// - Parameters:
  ///   - keys: the additional keys that the daemon accepts.
  ///   - flows: the flows that sections of the configuration may name; nil if they are still unknown. Then `serve` checks them.
  ///   - version: the value of the property `Version` on the bus.
  ///   - check: a closure that makes further checks, such as of a file that a key names, and reports problems with
  ///     `refuse` of `Configuration`.
  /// - Returns: a setup that can serve.
  /// - Throws: `ExitCode`: 78 if the configuration is wrong; 0 if it is right and the command line only requests a check or a
  ///   list. The output has then been written.
  public func setUp(
    keys: [KeyEntry] = [], flows: FlowCatalogue? = nil, version: String = Daemon.version,
    checking check: (inout Configuration) async -> Void = { _ in }
  ) async throws -> DaemonSetup {
    do { try DaemonName.choose(orOfEnvironment: name) } catch {
      LogTarget.standardError.complain("\(error)", of: Self.program)
      throw ExitCode.configuration
    }
    let source = source(keys: keys, version: version)
    if task == .listKeys {
      print(KeyEntry.table(of: source.keys, prefix: source.source.prefix), terminator: "")
      throw ExitCode.success
    }
    let setup = try await DaemonSetup(source, flows: flows, checking: check)
    if task == .check {
      try setup.checkProviders(isBuiltIn: flows?.isBuiltIn ?? { _ in false })
      throw ExitCode.success
    }
    return setup
  }

  func source(
    keys: [KeyEntry] = [], version: String = Daemon.version, environment: [String: String] = Environment.variables
  ) -> DaemonSource {
    // A daemon with a different name has its own state.
    let named = name ?? environment[DaemonName.variable].flatMap { try? DaemonName($0) }
    let program = named?.description ?? Self.program
    let usual: ConfigurationPlaces = isSystem ? .system(program) : .user(program, environment: environment)
    return DaemonSource(
      program: program, isSystem: isSystem, replaces: replaces, version: version, keys: DaemonKey.all + keys + DaemonKey.ofFlows,
      source: ConfigurationSource(
        places: file.map { .only($0) } ?? usual, environment: environment, prefix: ConfigurationSource.prefix(of: program),
        flags: given))
  }

  /// The name that the process was started with, without its directory.
  private static var program: String {
    CommandLine.arguments.first?.bytes.split(separator: "/").last.map(String.init) ?? "daemon"
  }
}

extension AsyncParsableCommand where Self: SendableMetatype {
  /// Runs the command as `main()` does, but on the package's own threads, which sleep while there is nothing to do.
  ///
  /// Call it from the type marked `@main`. Without it, tasks run on libdispatch's threads, and an idle daemon wakes up once a
  /// second. The same applies to a build with `COORDINATORD_WITHOUT=CustomExecutors` in its environment.
  ///
  /// ```swift
  /// static func main() { mainOnOwnThreads() }
  /// ```
  public static func mainOnOwnThreads() -> Never {
    ProcessThreads.run { await main(nil) }
  }

  /// Runs the command on the package's own threads. A valid command line without a question such as `--help` is parsed without
  /// ArgumentParser, and passed to a closure, so that the daemon starts sooner.
  ///
  /// ```swift
  /// static func main() { mainOnOwnThreads(named: "kiosk") { try await serve($0) } }
  ///
  /// func run() async throws { try await Self.serve(daemon.arguments()) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name to serve under, so that the daemon can run beside others, unless the command line gives another; nil
  ///     for that of `coordinatord`, whose place on the bus the daemon then takes.
  ///   - keys: the daemon's additional configuration keys whose options the command declares. A command must have no other
  ///     options than these and ``DaemonOptions``.
  ///   - serve: a closure that serves; it throws the errors of `run()`.
  public static func mainOnOwnThreads(
    named name: DaemonName? = nil, keys: [KeyEntry] = [],
    serving serve: @escaping @Sendable (DaemonArguments) async throws -> Void
  ) -> Never {
    if let name { DaemonName.choose(name) }
    ProcessThreads.run {
      guard let arguments = DaemonArguments(plain: CommandLine.arguments.dropFirst(), keys: keys) else { return await main(nil) }
      do { try await serve(arguments) } catch { exit(withError: error) }
    }
  }
}

extension DaemonArguments {
  /// Parses a command line that consists only of whole options, each at most once and with a valid value, as in units and
  /// activation files. Returns nil for any other command line, which ArgumentParser parses, and whose errors it reports.
  ///
  /// ArgumentParser would take a third of the time in which a daemon starts.
  ///
  /// - Parameters:
  ///   - arguments: the arguments without the program's name.
  ///   - keys: the daemon's additional keys.
  init?(plain arguments: some Sequence<String>, keys: [KeyEntry]) {
    let known = Dictionary((DaemonKey.all + keys).compactMap { key in key.flag.map { ("--\($0)", key) } }) { first, _ in first }
    var seen: Set<String> = []
    var rest = arguments.makeIterator()
    while let argument = rest.next() {
      let parts = argument.bytes.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let option = parts[0]
      guard seen.insert(option).inserted else { return nil }
      switch option {
      case "--system" where parts.count == 1: isSystem = true
      case "--replace" where parts.count == 1: replaces = true
      case "--ephemeral" where parts.count == 1: given.append(DaemonKey.ephemeral.entry.given("yes"))
      case "--no-ephemeral" where parts.count == 1: given.append(DaemonKey.ephemeral.entry.given("no"))
      case "--config":
        guard let file = parts.count == 2 ? parts[1] : rest.next(), Self.isPlain(file) else { return nil }
        self.file = file
      case "--name":
        guard let text = parts.count == 2 ? parts[1] : rest.next(), Self.isPlain(text), let name = try? DaemonName(text) else {
          return nil
        }
        self.name = name
      case "--group":
        guard let text = parts.count == 2 ? parts[1] : rest.next(), Self.isPlain(text), let group = try? UserGroup(named: text)
        else { return nil }
        given.append(DaemonKey.group.entry.given(group.name))
      default:
        guard let key = known[option], option != "--ephemeral", let value = parts.count == 2 ? parts[1] : rest.next(),
          Self.isPlain(value), key.isValid(value)
        else { return nil }
        given.append(key.given(value))
      }
    }
    let pairs = [("--system", "--address"), ("--ephemeral", "--state-dir"), ("--ephemeral", "--no-ephemeral")]
    guard !pairs.contains(where: { seen.contains($0) && seen.contains($1) }) else { return nil }
    guard seen.contains("--system") || !seen.contains("--group") else { return nil }
  }

  /// Returns whether a value cannot be mistaken for an option.
  private static func isPlain(_ value: String) -> Bool { !value.isEmpty && !value.bytes.hasPrefix("-") }
}
