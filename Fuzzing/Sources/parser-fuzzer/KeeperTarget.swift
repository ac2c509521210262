@testable import ProgramQuestions

@testable import CoordinatorKeeper

/// Lines of the keeper: what a tool wants, and what the shim for dialog sends; whole and in pieces.
enum KeeperTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard bytes.count < 1 << 16 else { return -1 }
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      _ = try? ControlRequest(Array(line))
    }
    let whole = read([bytes[...]])
    let middle = bytes.count / 2
    precondition(read([bytes[..<middle], bytes[middle...]]) == whole, "other messages, if they come in two pieces")
    // Names that are not UTF-8 are unknown, and become longer.
    for message in whole ?? [] where message.name.utf8.allSatisfy({ $0 < 0x80 }) {
      var reader = ShimReader()
      precondition((try? reader.read(message.encoded)) == [message], "a message is another one after it was written and read")
    }
    return 0
  }

  /// Reads the messages; nil if they are malformed.
  private static func read(_ pieces: [Slice<UnsafeBufferPointer<UInt8>>]) -> [ShimMessage]? {
    var reader = ShimReader()
    var messages: [ShimMessage] = []
    for piece in pieces {
      guard let more = try? reader.read(piece) else { return nil }
      messages += more
    }
    return messages
  }
}
