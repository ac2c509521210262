import ArgumentParser

/// Two trials of what a daemon keeps on bad disks.
@main
struct Faults: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults", abstract: "Tries what a daemon keeps when its disk fails, or its power.",
    subcommands: [FaultsCommand.self, PowerCutCommand.self])
}
