/// An instruction from ``PinentrySession`` to the keeper of a pinentry.
package enum PinentryEffect: Sendable, Hashable {
  /// Write these bytes to standard output. They may contain a PIN: never log them.
  case reply([UInt8])
  /// Ask this question; answer it with this id.
  case ask(ProgramQuestion, id: Int)
  /// The question with this id cannot be answered any more.
  case withdraw(id: Int)
  /// The conversation has ended.
  case end
}
