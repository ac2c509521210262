import ArgumentParser
import ConfigurationFiles

/// The options that say where and how durably a daemon stores its flows.
struct StateOptions: ParsableArguments {
  @Option(help: DaemonKey.stateDirectory.help, completion: .directory, transform: DaemonKey.stateDirectory.path)
  var stateDir: String?

  @Flag(inversion: .prefixedNo, help: ArgumentHelp(DaemonKey.ephemeral.entry.summary))
  var ephemeral: Bool?

  @Option(help: DaemonKey.sync.help, completion: .list(DaemonKey.sync.words), transform: DaemonKey.sync.argument)
  var sync: String?

  @Option(help: DaemonKey.maxHistory.help, transform: DaemonKey.maxHistory.argument)
  var maxHistory: String?

  var given: [GivenValue] {
    [
      DaemonKey.stateDirectory.given(stateDir), DaemonKey.ephemeral.given(ephemeral.map { $0 ? "yes" : "no" }),
      DaemonKey.sync.given(sync), DaemonKey.maxHistory.given(maxHistory),
    ].compactMap(\.self)
  }

  func validate() throws {
    if ephemeral == true, stateDir != nil {
      throw ValidationError("--ephemeral stores nothing, so it cannot be combined with --state-dir")
    }
  }
}
