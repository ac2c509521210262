import Forms
import ProgramQuestions

/// Something that a program shows, and nobody answers: an infobox, a gauge, debconf's progress.
struct Display: Sendable, Hashable {
  let source: ConnectionID
  /// The screen as an object of the contract.
  let screen: [String: JSONValue]
  /// Whether it stays after its connection has ended, as what only says something does on a terminal.
  let stays: Bool

  /// How far the program is, if it says so.
  var progress: [String: JSONValue] { screen["progress"]?.object ?? [:] }
}
