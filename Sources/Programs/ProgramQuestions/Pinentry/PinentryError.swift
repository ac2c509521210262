/// The errors that a pinentry reports, with gpg-agent's codes: the source is 5 (Pinentry), shifted by 24 bits.
enum PinentryError: UInt32, Sendable, Hashable {
  case timeout = 83_886_142
  case cancelled = 83_886_179
  case notConfirmed = 83_886_194
  case parameter = 83_886_360
  case unknownCommand = 536_871_187
  case lineTooLong = 536_871_175

  /// The line that reports the error.
  var line: [UInt8] { Array("ERR \(rawValue) \(text)\n".utf8) }

  private var text: String {
    switch self {
    case .timeout: "Timeout <Pinentry>"
    case .cancelled: "Operation cancelled <Pinentry>"
    case .notConfirmed: "Not confirmed <Pinentry>"
    case .parameter: "IPC parameter error <Pinentry>"
    case .unknownCommand: "Unknown IPC command <User defined source 1>"
    case .lineTooLong: "Line too long <User defined source 1>"
    }
  }
}
