import Accounts
import ArgumentParser
import ConfigurationFiles
import CoordinatorDaemon
import DaemonCommandLine
import Flows

/// The daemon with the flows that ship with it.
struct Coordinatord: AsyncParsableCommand {
  /// Runs the daemon with the arguments of the process, and ends the process.
  static func main() -> Never {
    mainOnOwnThreads(keys: [accountsKey.entry]) { try await serve($0) }
  }

  /// The name and the help of the command.
  static let configuration = CommandConfiguration(
    commandName: "coordinatord",
    abstract: "Serves interactive flows over D-Bus to any number of renderers at once.",
    discussion: """
      Serves on the session bus by default. Flows are stored in a state directory, and continue when the daemon is started \
      again; with --ephemeral, they end with it. Options override environment variables, which override configuration \
      files; see coordinatord.conf(5).

      \(DaemonOptions.exitStatus)
      """,
    version: Daemon.version)

  private static let accountsKey = ConfigurationKey<String?>(
    "Accounts", in: "Flows", .absolutePath, default: nil, defaultText: "only the user demo", flag: "accounts",
    "The file of users and their password hashes, for the flow account.")

  @OptionGroup var daemon: DaemonOptions

  @Option(help: Self.accountsKey.help, completion: .file(extensions: ["json"]), transform: Self.accountsKey.path)
  var accounts: String?

  /// Creates a command for the command-line parser to fill in.
  init() {}

  /// Serves until the daemon is asked to end.
  ///
  /// - Throws: `ExitCode`; the reason has then been written to stderr.
  func run() async throws {
    try await Self.serve(daemon.arguments(adding: [Self.accountsKey.given(accounts)]))
  }

  @Sendable private static func serve(_ arguments: DaemonArguments) async throws {
    let setup = try await arguments.setUp(keys: [accountsKey.entry], flows: .builtIn(), checking: checkAccounts)
    let logger = setup.logger
    let manager = CryptAccountManager(file: setup.configuration[accountsKey]) { logger.warning("\($0)") }
    try await setup.serve(.builtIn(accounts: manager))
  }

  private static func checkAccounts(_ configuration: inout Configuration) async {
    guard let file = configuration[accountsKey] else { return }
    do {
      try await CryptAccountManager(file: file) { _ in }.verify()
    } catch {
      configuration.refuse(accountsKey, "\(error)")
    }
  }
}
