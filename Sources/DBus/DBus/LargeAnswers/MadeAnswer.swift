import CDBus

/// A large answer as a message, which can be sent to any number of callers.
///
/// `@unchecked Sendable`, because the message is never changed or sent itself: only copies, made in serial jobs of the
/// loop, are sent. Hence no connection ever accounts for it, no libdbus callback is attached to it, and any thread may
/// release it.
final class MadeAnswer: @unchecked Sendable {
  private let message: OpaquePointer
  /// The message's size in bytes; that of a sent copy is about the same.
  let size: Int

  /// Creates a message from the results of a method.
  ///
  /// - Parameters:
  ///   - values: the results.
  ///   - types: the types that they must have; nil for any.
  ///   - limits: the limits for outgoing messages.
  /// - Throws: `LimitsExceeded`, or the error that says what is wrong with the values.
  init(_ values: [Value], types: String?, limits: MessageLimits) throws(DBusError) {
    if let types { try values.check(areOf: types) }
    let outgoing = OutgoingMessage.reply(values, to: 1, of: "")
    let size = try outgoing.check(limits)
    guard let (message, bytes) = MessageWriter.make(outgoing, size: size) else {
      throw .limitsExceeded("out of memory")
    }
    self.message = message
    self.size = bytes
  }

  deinit { dbus_message_unref(message) }

  /// Returns a copy for one caller; nil if memory is short. The caller of this method must unref the copy.
  func copy(to sender: String, serial: UInt32) -> OpaquePointer? {
    guard let copy = dbus_message_copy(message) else { return nil }
    if dbus_message_set_reply_serial(copy, serial) != 0, sender.isEmpty || dbus_message_set_destination(copy, sender) != 0 {
      return copy
    }
    dbus_message_unref(copy)
    return nil
  }
}

extension [Value] {
  /// Checks the types of the values.
  ///
  /// - Throws: `Failed` if the values do not have these types.
  func check(areOf types: String) throws(DBusError) {
    let found: String
    do {
      found = try Signature(of: self).string
    } catch {
      throw .failed(error.description)
    }
    guard found == types else { throw .failed("its types are '\(found)' instead of '\(types)'") }
  }
}
