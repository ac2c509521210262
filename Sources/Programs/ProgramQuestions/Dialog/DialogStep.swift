/// What a call of whiptail or dialog needs next, or how it ends.
///
/// An error, so that the evaluation of a call reads like the program: it stops at the first missing input.
package enum DialogStep: Error, Sendable, Hashable {
  /// An answer to a question; the input is ``DialogInput/answer(_:)``.
  case ask(ProgramQuestion)
  /// A box that needs no answer. It stays for some seconds if the program says so, and is visible until the
  /// next question; the input is ``DialogInput/shown``.
  case show(ProgramQuestion, seconds: Int)
  /// A gauge or a box of lines that follows the standard input to its end; the input is ``DialogInput/endOfInput``.
  case follow(DialogBox, DialogFeed)
  /// The contents of a file; the input is ``DialogInput/file(_:)`` or ``DialogInput/failure(_:)``.
  case read(ProgramText, DialogFile)
  /// The remaining contents of a file descriptor of the caller; the inputs are the same as for a file.
  case readDescriptor(Int32)
  /// The call ends.
  case end(CommandResult)
}

/// What is wanted of a file.
package enum DialogFile: Sendable, Hashable {
  /// All of it.
  case whole
  /// All of it, unless it is something else than a regular file.
  case regular
  /// Its start: it is only shown, and what is too long is cut.
  case start

  /// The request to the shim.
  var request: String {
    switch self {
    case .whole: "read"
    case .regular: "read-regular"
    case .start: "read-start"
    }
  }
}

/// How the standard input of a box is read.
package enum DialogFeed: Sendable, Hashable {
  /// As percentages and texts.
  case gauge(GaugeDialect, GaugeProgress)
  /// As lines that are shown.
  case lines
}

/// An input to a call of whiptail or dialog.
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
