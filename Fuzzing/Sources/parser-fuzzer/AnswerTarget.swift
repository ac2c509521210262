import CDBus
import CoordinatorKit

@testable import CoordinatorDaemon
@testable import DBus

/// What a provider answers to `Decide`, as bytes from the socket: it is read or refused, and what is read can be shown.
enum AnswerTarget {
  static func run(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    guard let start = bytes.baseAddress, bytes.count < 1 << 20 else { return -1 }
    let message = start.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      dbus_message_demarshal($0, Int32(bytes.count), nil)
    }
    guard let message else { return -1 }
    defer { dbus_message_unref(message) }
    guard let received = ReceivedMessage(message, limits: .default), case .success(let values) = received.body else { return 0 }
    guard let decision = try? AnswerDecoder().decision(values) else { return 0 }
    precondition(decision.state.utf8.count <= 256 * 1024 && decision.operations.count <= 64, "an answer beyond the limits")
    for (key, screen) in decision.screens {
      let shown = try? AnswerDecoder.screen(from: screen.description)
      precondition(shown != nil && shown == decision.contents[key], "the screen \(key) cannot be read again: \(screen)")
    }
    return 0
  }
}
