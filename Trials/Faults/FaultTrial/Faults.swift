import ArgumentParser

/// The commands that test the data that a daemon stores on a failing disk.
@main
struct Faults: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "faults", abstract: "Check what a daemon keeps if its disk or its power fails.",
    subcommands: [FaultsCommand.self, PowerCutCommand.self])
}
