import CoordinatorBus
import CoordinatorJournal
import Platform
import RendererKit

/// The location of the history that `coordinatorctl log` reads.
public enum HistoryPlace {
  /// Determines the state directory.
  ///
  /// Explicit arguments take precedence, then `STATE_DIRECTORY`. Otherwise the directory is that of the running daemon,
  /// so that the history of a different one is not read by mistake. If none is running, it is that of the name.
  ///
  /// - Parameters:
  ///   - stateDirectory: directory from the command line, if given.
  ///   - name: name of the daemon from the command line, if given.
  ///   - serving: running daemon, if any.
  ///   - environment: environment of this process.
  ///   - hasJournal: closure that returns whether a directory contains a journal.
  /// - Returns: the state directory.
  /// - Throws: ``ToolFailure`` if the directory cannot be determined.
  public static func directory(
    stateDirectory: String?, name: DaemonName?, serving: ServingDaemon?, environment: [String: String],
    hasJournal: (String) -> Bool
  ) throws(ToolFailure) -> String {
    if let stateDirectory { return stateDirectory }
    let standard = StateLocation.directory(name: name?.description ?? StateLocation.name, environment: environment)
    guard environment["STATE_DIRECTORY"] == nil, let serving else { return standard }
    let advice = "  give the state directory with --state-dir DIR, or the name of its daemon with --name NAME"
    let daemon = "\(serving.program.printable) (process \(serving.process))"
    if serving.keepsNothing { throw ToolFailure(["\(daemon) keeps no history: it runs with --ephemeral", advice]) }
    if let directory = serving.stateDirectory {
      guard directory.bytes.hasPrefix("/") else {
        throw ToolFailure([
          "\(daemon) runs with --state-dir \(directory.printable), and its working directory is unknown", advice,
        ])
      }
      return directory
    }
    guard name == nil, serving.program != StateLocation.name else { return standard }
    let own = StateLocation.directory(name: serving.program, environment: environment)
    guard hasJournal(own) else {
      throw ToolFailure(["the running daemon is \(daemon), but there is no journal in \(own.printable)", advice])
    }
    return own
  }
}
