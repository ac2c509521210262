import CDBus

/// A message as it was received, with nothing of libdbus left in it: the `DBusMessage` is freed on the loop as soon as this is
/// made, and no part of the program can keep one.
struct ReceivedMessage: Sendable {
  enum Kind: Sendable {
    case methodCall(expectsReply: Bool)
    case methodReturn(to: UInt32)
    case error(to: UInt32, name: String)
    case signal
  }

  let kind: Kind
  let serial: UInt32
  let sender: String
  let path: ObjectPath
  let interface: String?
  let member: String
  let signature: String
  let body: Result<[Value], UnreadableBody>
  /// About how much memory it takes, in bytes.
  let size: Int

  /// Copies everything out of a message; nil for a kind that does not exist today, which has to be ignored.
  init?(_ message: OpaquePointer, limits: MessageLimits) {
    switch dbus_message_get_type(message) {
    case DBUS_MESSAGE_TYPE_METHOD_CALL: kind = .methodCall(expectsReply: dbus_message_get_no_reply(message) == 0)
    case DBUS_MESSAGE_TYPE_METHOD_RETURN: kind = .methodReturn(to: dbus_message_get_reply_serial(message))
    case DBUS_MESSAGE_TYPE_SIGNAL: kind = .signal
    case DBUS_MESSAGE_TYPE_ERROR:
      kind = .error(to: dbus_message_get_reply_serial(message), name: Self.text(dbus_message_get_error_name(message)) ?? "")
    default: return nil
    }
    serial = dbus_message_get_serial(message)
    sender = Self.text(dbus_message_get_sender(message)) ?? ""
    // Calls and signals without a path are refused by libdbus; replies have none.
    path = Self.text(dbus_message_get_path(message)).flatMap { try? ObjectPath($0) } ?? .root
    interface = Self.text(dbus_message_get_interface(message))
    member = Self.text(dbus_message_get_member(message)) ?? ""
    let signature = Self.text(dbus_message_get_signature(message)) ?? ""
    self.signature = signature
    var reader = MessageReader(limits: limits)
    body = Result { () throws(UnreadableBody) in try reader.read(message, signature: signature) }
    size = Self.emptySize + reader.size
  }

  /// What a call without arguments takes, about.
  private static let emptySize = 512

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}

/// Why the arguments of a message that libdbus took cannot become values.
enum UnreadableBody: Error, Sendable, Hashable {
  case unixDescriptor
  case tooDeep(Int)
  case tooLarge

  /// What the caller of a method is told.
  var asError: DBusError {
    switch self {
    case .unixDescriptor: .invalidArgs("Unix file descriptors are not supported")
    case .tooDeep(let limit): .invalidArgs("The arguments are nested deeper than \(limit) levels")
    case .tooLarge: .limitsExceeded("The arguments are too large")
    }
  }
}
