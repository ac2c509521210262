import ArgumentParser
import Themes

/// The option that selects a theme.
public struct ThemeOptions: ParsableArguments {
  /// The file of the theme.
  @Option(
    name: .customLong("theme"),
    help: ArgumentHelp("Use the name, logo and colors in this file; see coordinatord.theme(5).", valueName: "file"),
    completion: .file(extensions: ["conf"]))
  public var file: String?

  /// The problems of a theme file that the command line names.
  public struct Fault: Error {
    /// One line for each problem, with its file and its line.
    public let lines: [String]
  }

  /// Creates options without values.
  public init() {}

  /// Reads the theme. A file that the command line names must be valid. A mistake in a file that was found is reported, and the
  /// flow is shown in the standard look, because the mistake must not keep users from answering.
  ///
  /// - Parameters:
  ///   - environment: the environment variables of the process.
  ///   - complain: closure that writes lines for the user who started the program.
  /// - Returns: the theme.
  /// - Throws: ``Fault`` if the file that the command line names has problems.
  public func theme(environment: [String: String], complain: (String) -> Void) throws(Fault) -> Theme {
    let reading = file.map(Theme.read) ?? ThemePlaces.read(environment: environment)
    guard !reading.problems.isEmpty else { return reading.theme }
    let lines = reading.problems.map(\.description)
    guard file == nil else { throw Fault(lines: lines) }
    complain(lines.map { $0 + "\n" }.joined())
    return reading.theme
  }
}
