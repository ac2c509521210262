import CDBus

@testable import DBus

/// A message as libdbus reads it from bytes that were received.
enum DemarshalledMessage {
  /// Reads the message at the beginning of the bytes.
  ///
  /// - Parameter bytes: the bytes, of one or more messages.
  /// - Returns: the message, which contains its serial number, and its size; nil if libdbus would disconnect the sender.
  static func read(_ bytes: ArraySlice<UInt8>) -> (message: ReceivedMessage, size: Int)? {
    bytes.withUnsafeBytes { bytes -> (message: ReceivedMessage, size: Int)? in
      let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
      let size = dbus_message_demarshal_bytes_needed(start, Int32(bytes.count))
      guard size > 0, size <= bytes.count, let message = dbus_message_demarshal(start, size, nil) else { return nil }
      defer { dbus_message_unref(message) }
      return ReceivedMessage(message, limits: .default).map { ($0, Int(size)) }
    }
  }

  /// Reads all messages; returns nil if libdbus would disconnect the sender of one of them.
  static func readAll(_ bytes: [UInt8]) -> [ReceivedMessage]? {
    var rest = bytes[...]
    var messages: [ReceivedMessage] = []
    while !rest.isEmpty {
      guard let next = read(rest) else { return nil }
      messages.append(next.message)
      rest = rest.dropFirst(next.size)
    }
    return messages
  }
}

extension WireBuffer {
  /// A copy of the bytes.
  var copy: [UInt8] { Array(bytes) }
}

extension ReceivedMessage {
  /// The arguments; empty if they cannot be read.
  var values: [Value] { (try? body.get()) ?? [] }
}
