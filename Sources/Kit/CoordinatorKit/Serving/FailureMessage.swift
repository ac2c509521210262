/// What a flow is told of why its work has failed. The daemon stores it and may show it to people, so it is not long; what it
/// leaves out is in the log.
package enum FailureMessage {
  /// The most bytes of a message.
  package static let limit = 4_096
  /// What ends a message that was cut.
  package static let mark = "… (cut off here; the log of the program has all of it)"

  /// Returns a message as a flow is told it.
  ///
  /// - Parameters:
  ///   - text: the whole message.
  ///   - complain: receives the whole message if it is too long, one line at a time. The default does nothing, for a message that
  ///     is in the log already.
  /// - Returns: the message, or its beginning and ``mark``.
  package static func fitting(_ text: String, complain: (String) -> Void = { _ in }) -> String {
    let count = text.utf8.count
    guard count > limit else { return text }
    complain("work has failed, and the flow is told only the beginning of why, which has \(count) bytes:")
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) { complain(String(Substring(line))) }
    var room = limit - mark.utf8.count
    let beginning = text.unicodeScalars.prefix { scalar in
      room -= UTF8.width(scalar)
      return room >= 0
    }
    return String(beginning) + mark
  }
}
