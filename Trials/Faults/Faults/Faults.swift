import ArgumentParser

/// The commands that test what a daemon stores on a failing disk.
@main
struct Faults: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults", abstract: "Tries what a daemon keeps when its disk fails, or its power.",
    subcommands: [FaultsCommand.self, PowerCutCommand.self])
}
