import ArgumentParser
import ConfigurationFiles
import CoordinatorBus
import CoordinatorDaemon
import CoordinatorKit
import Platform

/// What the command line of a daemon says.
public struct DaemonArguments: Sendable {
  /// What the daemon is started for.
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

  /// Reads the configuration. Use it for a daemon that has configuration keys of its own, or that must know the
  /// configuration before it can serve.
  ///
  /// - Parameters:
  ///   - keys: additional keys that the daemon accepts.
  ///   - flows: the flows that sections of the configuration may name; nil if they are not known yet. Then `serve`
  ///     checks them.
  ///   - version: the value of the property `Version` on the bus.
  ///   - check: a closure that checks anything else, such as a file that a key names, and reports problems with
  ///     ``Configuration/refuse(_:_:)``.
  /// - Returns: a setup that can serve.
  /// - Throws: `ExitCode`: 78 if the configuration is wrong; 0 if it is right and the command line asks for nothing but
  ///   a check or a list. The output has then been written.
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
    // A daemon that has a name of its own keeps a state of its own.
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
