import Forms
import ProgramQuestions

/// A screen without an answer that a program shows: an infobox, a gauge, debconf's progress.
struct Display: Sendable, Hashable {
  let source: ConnectionID
  /// The screen as an object of the contract.
  let screen: [String: JSONValue]
  /// Whether it stays after its connection has ended, as an infobox does on a terminal.
  let stays: Bool

  /// The progress in the screen; empty if it has none.
  var progress: [String: JSONValue] { screen["progress"]?.object ?? [:] }
}
