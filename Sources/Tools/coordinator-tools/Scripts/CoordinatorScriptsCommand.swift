import ArgumentParser
import CoordinatorBus

/// Serves scripts to coordinatord.
struct CoordinatorScriptsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coordinator-scripts", abstract: "Makes flows of scripts.",
    discussion: """
      An executable file in a directory coordinatord/flows is a flow: ~/.config/coordinatord/flows/make-coffee is the flow \
      make-coffee. A new or changed file is found by itself.
      """, version: Release.version,
    subcommands: [
      ServeCommand.self, FilesCommand.self, CheckCommand.self, PlayCommand.self, GraphCommand.self, ExportCommand.self,
      QuestionCommand.self,
    ],
    defaultSubcommand: ServeCommand.self)

  /// Creates the command, for the command-line parser to fill in.
  init() {}
}
