import CDBus

/// A received message, as values without references to libdbus. The `DBusMessage` is freed on the loop as soon as this
/// has been created, so that no part of the program can retain one.
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
  /// The approximate memory use, in bytes.
  let size: Int

  /// Copies everything out of a message. Returns nil for an unknown message type, which the specification requires to
  /// be ignored.
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
    // libdbus refuses calls and signals without a path; replies have none.
    path = Self.text(dbus_message_get_path(message)).flatMap { try? ObjectPath($0) } ?? .root
    interface = Self.text(dbus_message_get_interface(message))
    member = Self.text(dbus_message_get_member(message)) ?? ""
    let signature = Self.text(dbus_message_get_signature(message)) ?? ""
    self.signature = signature
    var reader = MessageReader(limits: limits)
    body = Result { () throws(UnreadableBody) in try reader.read(message, signature: signature) }
    size = Self.emptySize + reader.size
  }

  /// The approximate memory use of a call without arguments, in bytes.
  private static let emptySize = 512

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}

/// Why the arguments of a message that libdbus accepted cannot be decoded.
enum UnreadableBody: Error, Sendable, Hashable {
  case unixDescriptor
  case tooDeep(Int)
  case tooLarge

  /// The error that the caller of a method receives.
  var asError: DBusError {
    switch self {
    case .unixDescriptor: .invalidArgs("Unix file descriptors are not supported")
    case .tooDeep(let limit): .invalidArgs("The arguments are nested deeper than \(limit) levels")
    case .tooLarge: .limitsExceeded("The arguments are too large")
    }
  }
}
