import Platform

/// The number of a question of one keeper.
package struct QuestionID: Sendable, Hashable {
  /// The number of the question, counted from 1.
  package let number: Int

  /// Returns the id in the form of the control protocol.
  func text(of program: KeptProgram) -> String { "\(program.run)-\(number)" }

  /// Creates an id.
  init(_ number: Int) { self.number = number }

  /// Reads an id; returns nil if it is not one of this program.
  init?(_ text: String, of program: KeptProgram) {
    guard let number = text.bytes.dropping(prefix: "\(program.run)-").flatMap({ Int($0) }) else { return nil }
    self.number = number
  }
}
