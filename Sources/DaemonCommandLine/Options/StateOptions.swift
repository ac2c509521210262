import ArgumentParser
import CoordinatorJournal

/// Where a daemon keeps its flows, and how hard it tries.
struct StateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The directory in which flows are kept.",
      discussion: """
        Without it: $STATE_DIRECTORY if systemd sets it, else a directory of the daemon's name in $XDG_STATE_HOME or ~/.local/state. It \
        belongs to one daemon at a time.
        """, valueName: "directory"), completion: .directory)
  var stateDir: String?

  @Flag(help: "Keep flows in memory only: they end with the daemon.")
  var ephemeral = false

  @Option(
    help: ArgumentHelp(
      "How much must be on the disk before a call is answered: full, normal, off.",
      discussion: """
        full survives a power cut; normal and off survive the end of the daemon, and off may lose everything in a power cut.
        """,
      valueName: "mode"))
  var sync = SyncMode.full

  @Option(help: "How many transitions the history goes back; 0 for none.")
  var maxHistory: UInt32 = 100_000

  func validate() throws {
    if ephemeral, stateDir != nil { throw ValidationError("--ephemeral keeps nothing, so --state-dir makes no sense with it") }
    if stateDir?.isEmpty == true { throw ValidationError("--state-dir needs a directory") }
  }

  /// What the journal of a daemon of that name is opened with; nil without one.
  func journal(maxOutcomes: UInt32, program: String) -> JournalConfiguration? {
    guard !ephemeral else { return nil }
    return JournalConfiguration(
      directory: stateDir ?? StateLocation.directory(name: program), sync: sync.sync, maxOutcomes: Int(maxOutcomes),
      maxHistory: Int(maxHistory))
  }
}

/// The values of `--sync`.
///
/// A type of its own, so that a daemon can make the journal's an argument in its own way.
enum SyncMode: String, CaseIterable, ExpressibleByArgument {
  case full, normal, off

  var sync: JournalConfiguration.Sync {
    switch self {
    case .full: .full
    case .normal: .normal
    case .off: .off
    }
  }
}
