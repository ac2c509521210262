import CoordinatorBus
import CoordinatorKit
import Platform
import RendererKit

/// Allows options that every command accepts to precede the command, as in `coordinatorctl --json tree`.
public enum GlobalArguments {
  /// Moves the options that precede the command after it.
  ///
  /// - Parameters:
  ///   - arguments: command line without the name of the program.
  ///   - flags: options without a value.
  ///   - options: options with a value: `--address VALUE` or `--address=VALUE`.
  /// - Returns: the command line in the order that the parser expects; unchanged if anything else, such as `--help`, precedes
  ///   the command.
  public static func behindCommand(_ arguments: [String], flags: Set<String>, options: Set<String>) -> [String] {
    var index = 0
    while index < arguments.count {
      let argument = arguments[index]
      if options.contains(argument) {
        index += 2
      } else if flags.contains(argument) || options.contains(where: { argument.bytes.hasPrefix($0 + "=") }) {
        index += 1
      } else {
        break
      }
    }
    guard index < arguments.count, !arguments[index].bytes.hasPrefix("-") else { return arguments }
    return [arguments[index]] + arguments[..<index] + arguments[(index + 1)...]
  }
}

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

/// `coordinatorctl version`: prints the version of this program.
public struct PrintVersion: Sendable {
  private let output: ToolOutput

  /// Creates the command.
  public init(output: ToolOutput) { self.output = output }

  /// Prints the version.
  public func run() { output.say([Release.version], json: ["version": .string(Release.version)]) }
}

/// A shell that requests candidates.
///
/// Candidates come from the daemon, and therefore from anyone who names a network or a user that a flow shows. No shell may
/// interpret one as anything but a word.
public enum CompletingShell: String, Sendable, Hashable, CaseIterable {
  case bash, zsh, fish

  /// Returns a candidate as the shell's completion script expects it.
  ///
  /// - Parameter candidate: word that the shell offers.
  /// - Returns: one line; nil if the word contains a control character, or another one that is unsafe on a terminal.
  public func line(_ candidate: String) -> String? {
    guard candidate.printable.unicodeScalars.elementsEqual(candidate.unicodeScalars) else { return nil }
    switch self {
    // The script passes its candidates to `compgen -W`, which expands each of them as a word of a command line, including
    // commands.
    case .bash: return ShellText.word(candidate)
    case .zsh: return Self.withoutDescription(candidate)
    case .fish: return candidate
    }
  }

  /// Returns a word in which no colon begins a description.
  private static func withoutDescription(_ candidate: String) -> String {
    candidate.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == ":" || scalar == "\\" { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
  }
}
