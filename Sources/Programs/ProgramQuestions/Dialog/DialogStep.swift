/// The next input that a call of whiptail or dialog needs, or its end.
///
/// An error, so that the evaluation of a call reads like the program: it stops at the first missing input.
package enum DialogStep: Error, Sendable, Hashable {
  /// An answer to a question; the input is ``DialogInput/answer(_:)``.
  case ask(ProgramQuestion)
  /// A box that needs no answer. It stays for some seconds if the program asks for that, and is visible until the next
  /// question; the input is ``DialogInput/shown``.
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

/// The part of a file that a call needs.
package enum DialogFile: Sendable, Hashable {
  /// The whole file.
  case whole
  /// The whole file, if it is a regular file.
  case regular
  /// The beginning of the file: it is only shown, and the rest is cut.
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

/// The format of a box's standard input.
package enum DialogFeed: Sendable, Hashable {
  /// Percentages and texts.
  case gauge(GaugeDialect, GaugeProgress)
  /// Lines to show.
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
  /// The reason why the file cannot be read, as `strerror` returns it.
  case failure(ProgramText)
}
