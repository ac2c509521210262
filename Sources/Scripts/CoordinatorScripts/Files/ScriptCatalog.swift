/// The scripts that are served. The directories may be read by several at once, each of which takes its time: what was read
/// later counts, whoever is ready first.
struct ScriptCatalog: Sendable {
  /// A reading of the directories.
  struct Reading: Sendable {
    fileprivate let number: UInt64
    /// The scripts that were known when it began.
    let known: [String: Script]
  }

  /// What comes of a reading.
  enum Merge: Sendable {
    case changed
    case same
    /// One that began later has been ready before, and knows something else: the directories have to be read again.
    case overtaken
  }

  /// The scripts by the names of their flows.
  private(set) var scripts: [String: Script]
  private var begun: UInt64 = 0
  private var newest: UInt64 = 0

  /// Creates a catalog with the scripts that were read first.
  init(_ scripts: [String: Script] = [:]) { self.scripts = scripts }

  /// Begins a reading. Whatever changes from now on it may miss.
  mutating func begin() -> Reading {
    begun += 1
    return Reading(number: begun, known: scripts)
  }

  /// Ends a reading.
  ///
  /// - Parameters:
  ///   - reading: the reading.
  ///   - found: the scripts that it has found.
  /// - Returns: what comes of it.
  mutating func end(_ reading: Reading, _ found: [String: Script]) -> Merge {
    guard reading.number > newest else { return found == scripts ? .same : .overtaken }
    newest = reading.number
    guard found != scripts else { return .same }
    scripts = found
    return .changed
  }
}
