/// What a call of whiptail or dialog needs next, or how it ends.
///
/// An error, so that the evaluation of a call reads like the program: it stops where an input is missing.
package enum DialogStep: Error, Sendable, Hashable {
  /// An answer to a question; the input is ``DialogInput/answer(_:)``.
  case ask(ProgramQuestion)
  /// A box that is shown without waiting for anybody, for some seconds if the program says so, and stays until the
  /// next question; the input is ``DialogInput/shown``.
  case show(ProgramQuestion, seconds: Int)
  /// A gauge or a box of lines that follows the standard input to its end; the input is ``DialogInput/endOfInput``.
  case follow(DialogBox, DialogFeed)
  /// The contents of a file; the input is ``DialogInput/file(_:)`` or ``DialogInput/failure(_:)``.
  case read(ProgramText, mustBeRegular: Bool)
  /// The rest of what a descriptor of the caller holds; the inputs are the same as for a file.
  case readDescriptor(Int32)
  /// The call ends.
  case end(CommandResult)
}

/// How the standard input of a box is read.
package enum DialogFeed: Sendable, Hashable {
  /// As percentages and texts.
  case gauge(GaugeDialect, GaugeProgress)
  /// As lines that are shown.
  case lines
}

/// What a call of whiptail or dialog was given.
package enum DialogInput: Sendable, Hashable {
  /// An answer to the question.
  case answer(ProgramAnswer)
  /// The box was shown.
  case shown
  /// The standard input has ended.
  case endOfInput
  /// The contents of the file.
  case file([UInt8])
  /// Why the file cannot be read, as `strerror` says it.
  case failure(ProgramText)
}
