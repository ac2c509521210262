import CoordinatorJournal

/// Where the history is that `coordinatorctl log` is to read.
public enum HistoryPlace {
  /// Decides.
  ///
  /// What is said goes first; else it is the place of the daemon that runs, so that nobody reads the history of another one unawares;
  /// where none runs it is the place of `coordinatord`.
  ///
  /// - Parameters:
  ///   - stateDirectory: The directory, if it was said.
  ///   - name: The name of the daemon, if it was said.
  ///   - serving: The daemon that runs.
  ///   - environment: The environment of this process.
  ///   - hasJournal: Whether there is a journal in a directory.
  /// - Returns: The directory.
  /// - Throws: `ToolFailure` if that cannot be known.
  public static func directory(
    stateDirectory: String?, name: String?, serving: ServingDaemon?, environment: [String: String],
    hasJournal: (String) -> Bool
  ) throws(ToolFailure) -> String {
    if let stateDirectory { return stateDirectory }
    if let name {
      guard !name.isEmpty, name != ".", name != "..", !name.contains("/") else {
        throw ToolFailure(["'\(name.printable)' is no name of a daemon"], exit: .usage)
      }
      return StateLocation.directory(name: name, environment: environment)
    }
    let standard = StateLocation.directory(environment: environment)
    guard environment["STATE_DIRECTORY"] == nil, let serving else { return standard }
    let advice = "  say with --state-dir DIR where the state is that you mean, or with --name NAME what its daemon is called"
    let daemon = "\(serving.program.printable) (process \(serving.process))"
    if serving.keepsNothing { throw ToolFailure(["\(daemon) keeps no history: it runs with --ephemeral", advice]) }
    if let directory = serving.stateDirectory {
      guard directory.hasPrefix("/") else {
        throw ToolFailure(["\(daemon) runs with --state-dir \(directory.printable), and from where is not known", advice])
      }
      return directory
    }
    guard serving.program != StateLocation.name else { return standard }
    let own = StateLocation.directory(name: serving.program, environment: environment)
    guard hasJournal(own) else {
      throw ToolFailure(["the daemon that runs is \(daemon), and there is no journal in \(own.printable)", advice])
    }
    return own
  }
}
