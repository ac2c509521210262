/// A message between the keeper of a program and the shim for whiptail and dialog: a line with a name and a length, and
/// then that many bytes. `Sources/Programs/coordinator-dialog/connection.h` lists them.
package struct ShimMessage: Sendable, Hashable {
  /// The name, such as `argument`.
  package var name: String
  package var bytes: [UInt8]

  /// Creates a message.
  package init(_ name: String, _ bytes: some Sequence<UInt8> = []) { (self.name, self.bytes) = (name, Array(bytes)) }

  /// The message as it is sent.
  package var encoded: [UInt8] { Array("\(name) \(bytes.count)\n".utf8) + bytes }
}

/// An error in a shim's messages. Close the connection.
package enum ShimError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A line is not a name and a length, or a message is too long.
  case malformed
  /// A message that is not valid at this point.
  case unexpected(String)
  /// The shim cannot continue, and gives the reason.
  case failed(String)

  package var description: String {
    switch self {
    case .malformed: "it sent what is no message, or one of more than 16 MiB"
    case .failed(let reason): ForeignText(reason, limit: 1_024).line
    case .unexpected(let name): "it sent '\(ForeignText(name, limit: 32).line)', which has no meaning there"
    }
  }
}

/// Decodes messages from a stream of bytes.
package struct ShimReader: Sendable, Hashable {
  /// The maximum number of bytes of a message.
  package static let longest = 16 << 20
  private static let longestLine = 64

  private var rest: [UInt8] = []

  /// Creates a reader that has read nothing.
  package init() {}

  /// Reads some bytes.
  ///
  /// - Parameter bytes: the received bytes.
  /// - Returns: the messages that are complete now.
  /// - Throws: ``ShimError``.
  package mutating func read(_ bytes: some Sequence<UInt8>) throws(ShimError) -> [ShimMessage] {
    rest += bytes
    var messages: [ShimMessage] = []
    var start = 0
    while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let (name, length) = try Self.line(rest[start..<end])
      guard rest.count - end - 1 >= length else { break }
      let message = ShimMessage(name, rest[(end + 1)..<(end + 1 + length)])
      if message.name == "trouble" { throw .failed(String(decoding: message.bytes, as: UTF8.self)) }
      messages.append(message)
      start = end + 1 + length
    }
    rest.removeFirst(start)
    // An incomplete line has the same limit as a complete one.
    if rest.count > Self.longestLine, !rest.prefix(Self.longestLine).contains(UInt8(ascii: "\n")) { throw .malformed }
    return messages
  }

  private static func line(_ bytes: ArraySlice<UInt8>) throws(ShimError) -> (String, Int) {
    let parts = bytes.split(separator: 0x20, omittingEmptySubsequences: false)
    guard bytes.count <= longestLine, parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
      parts[1].allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
      let length = Int(String(decoding: parts[1], as: UTF8.self)), length <= longest
    else { throw .malformed }
    return (String(decoding: parts[0], as: UTF8.self), length)
  }
}
