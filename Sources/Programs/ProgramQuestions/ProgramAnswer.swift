import Forms

/// A user's answer to a question of a program.
package enum ProgramAnswer: Sendable, Hashable {
  /// An event that the screen offers. The secret values are the UTF-8 bytes typed into the fields of these names, which the
  /// payload does not contain.
  case event(String, payload: [String: JSONValue], secrets: [String: [UInt8]])
  /// Back to the previous question.
  case back
}
