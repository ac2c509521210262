import Platform
import RendererKit

/// Recognizes a command that does not exist, before the parser reports its arguments as unexpected.
public enum UnknownCommand {
  /// Returns the failure for a command line; nil if its command exists, or if it has none.
  ///
  /// - Parameters:
  ///   - arguments: command line without the name of the program.
  ///   - names: names of the commands.
  /// - Returns: the failure, with the most similar command; nil if the command is valid.
  public static func failure(of arguments: [String], among names: [String]) -> ToolFailure? {
    guard let name = arguments.first, !name.bytes.hasPrefix("-"), !names.contains(name) else { return nil }
    let advice = Suggestion.best(for: name, among: names).map { "  did you mean '\($0)'?" }
    return ToolFailure(
      ["there is no command '\(name.printable)'", advice ?? "  list the commands with: coordinatorctl --help"],
      exit: .usage, name: "UnknownCommand")
  }
}
