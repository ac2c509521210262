import CDBus

/// A large answer as a message, to be sent to any number of callers.
///
/// `@unchecked Sendable`, because the message is never changed, and never sent itself: only copies of it are, which are made in serial jobs
/// of the loop. So no connection ever counts it, no callback of libdbus hangs on it, and any thread may give it up.
final class MadeAnswer: @unchecked Sendable {
  private let message: OpaquePointer
  /// How many bytes it has, when it is sent about as many.
  let size: Int

  /// Makes a message of the results of a method.
  ///
  /// - Parameters:
  ///   - values: the results.
  ///   - types: the types that they must have; nil for any.
  ///   - limits: what may be sent.
  /// - Throws: `LimitsExceeded`, or what is wrong with the values.
  init(_ values: [Value], types: String?, limits: MessageLimits) throws(DBusError) {
    if let types { try values.check(areOf: types) }
    let outgoing = OutgoingMessage.reply(values, to: 1, of: "")
    let size = try outgoing.check(limits)
    guard let (message, bytes) = MessageWriter.make(outgoing, size: size) else {
      throw .limitsExceeded("there is no memory left")
    }
    self.message = message
    self.size = bytes
  }

  deinit { dbus_message_unref(message) }

  /// A message to one caller; nil if there is no memory left. The caller of this has to unref it.
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
  /// - Throws: `Failed` if the values are not of these types.
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
