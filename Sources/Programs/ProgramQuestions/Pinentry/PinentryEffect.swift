/// What the keeper of a pinentry does after it has told a ``PinentrySession`` something.
package enum PinentryEffect: Sendable, Hashable {
  /// Write these bytes to standard output. They may contain a PIN: never log them.
  case reply([UInt8])
  /// Ask this, and answer it with this id.
  case ask(ProgramQuestion, id: Int)
  /// The question with this id cannot be answered any more.
  case withdraw(id: Int)
  /// The conversation has ended.
  case end
}
