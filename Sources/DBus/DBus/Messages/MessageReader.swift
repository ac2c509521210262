import CDBus
import Glibc

/// Decodes the arguments of a `DBusMessage` into values, within limits of depth, number and size.
///
/// libdbus has already checked the bytes (UTF-8, alignment, signatures, at most 64 levels). Strings are copied out of
/// the message and overwritten in it, because libdbus caches messages along with their contents; a message can
/// therefore be read only once. Unix file descriptors are never read, so libdbus closes them together with the message.
struct MessageReader {
  private let limits: MessageLimits
  private var maximumDepth: Int { limits.incomingDepth }
  private var valuesLeft: Int
  private var bytesLeft: Int

  init(limits: MessageLimits) {
    self.limits = limits
    valuesLeft = limits.incomingValues
    bytesLeft = limits.incomingSize
  }

  /// The approximate memory use of the values read so far, in bytes.
  var size: Int { (limits.incomingValues - valuesLeft) * MemoryLayout<Value>.stride + limits.incomingSize - bytesLeft }

  mutating func read(_ message: OpaquePointer, signature: String) throws(UnreadableBody) -> [Value] {
    guard !signature.isEmpty else { return [] }
    do throws(UnreadableBody) {
      return try readBody(message, signature: signature)
    } catch {
      var iterator = DBusMessageIter()
      if dbus_message_iter_init(message, &iterator) != 0 { MessageEraser.erase(&iterator) }
      throw error
    }
  }

  private mutating func readBody(_ message: OpaquePointer, signature: String) throws(UnreadableBody) -> [Value] {
    // The only type code of a valid signature that `Signature` does not support is that of Unix file descriptors.
    guard let types = try? Signature(signature).types else { throw .unixDescriptor }
    var iterator = DBusMessageIter()
    guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
    return try readMembers(&iterator, as: types, level: 0)
  }

  private mutating func readMembers(
    _ iterator: inout DBusMessageIter, as types: [SingleType], level: Int
  ) throws(UnreadableBody) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(types.count)
    for type in types {
      values.append(try read(&iterator, as: type, level: level))
      dbus_message_iter_next(&iterator)
    }
    return values
  }

  private mutating func read(_ iterator: inout DBusMessageIter, as type: SingleType, level: Int) throws(UnreadableBody) -> Value {
    valuesLeft -= 1
    guard valuesLeft >= 0 else { throw .tooLarge }
    switch type {
    case .array(.byte): return try readBytes(&iterator, level: level)
    case .array(let element): return .array(of: element, try readElements(&iterator, as: element, level: level))
    case .dictionary(let key, let value):
      return .dictionary(key: key, value: value, try readEntries(&iterator, key: key, value: value, level: level))
    case .structure(let members):
      var inner = try enter(&iterator, level: level)
      return .structure(try readMembers(&inner, as: members, level: level + 1))
    case .variant:
      var inner = try enter(&iterator, level: level)
      return .variant(try read(&inner, as: try Self.content(of: &inner), level: level + 1))
    case .string: return .string(try readText(&iterator))
    case .objectPath:
      // libdbus has checked the path against the same rules.
      return .objectPath((try? ObjectPath(try readText(&iterator))) ?? .root)
    case .signature:
      guard let signature = try? Signature(try readText(&iterator)) else { throw .unixDescriptor }
      return .signature(signature)
    default: return Self.number(&iterator, as: type)
    }
  }

  private static func number(_ iterator: inout DBusMessageIter, as type: SingleType) -> Value {
    var basic = DBusBasicValue()
    dbus_message_iter_get_basic(&iterator, &basic)
    switch type {
    case .byte: return .byte(basic.byt)
    case .boolean: return .boolean(basic.bool_val != 0)
    case .int16: return .int16(basic.i16)
    case .uint16: return .uint16(basic.u16)
    case .int32: return .int32(basic.i32)
    case .uint32: return .uint32(basic.u32)
    case .int64: return .int64(Int64(basic.i64))
    case .double: return .double(basic.dbl)
    default: return .uint64(UInt64(basic.u64))
    }
  }

  private mutating func readText(_ iterator: inout DBusMessageIter) throws(UnreadableBody) -> String {
    var basic = DBusBasicValue()
    dbus_message_iter_get_basic(&iterator, &basic)
    guard let text = basic.str else { return "" }
    let length = strlen(text)
    bytesLeft -= length
    guard bytesLeft >= 0 else { throw .tooLarge }
    defer { explicit_bzero(text, length) }
    return String(cString: text)
  }

  private mutating func readBytes(_ iterator: inout DBusMessageIter, level: Int) throws(UnreadableBody) -> Value {
    var inner = try enter(&iterator, level: level)
    guard dbus_message_iter_get_arg_type(&inner) != 0 else { return .array(of: .byte, []) }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&inner, &bytes, &count)
    valuesLeft -= Int(count)
    guard valuesLeft >= 0 else { throw .tooLarge }
    defer { if let bytes, count > 0 { explicit_bzero(bytes, Int(count)) } }
    return .array(of: .byte, UnsafeBufferPointer(start: bytes, count: Int(count)).map { .byte($0) })
  }

  private mutating func readElements(
    _ iterator: inout DBusMessageIter, as type: SingleType, level: Int
  ) throws(UnreadableBody) -> [Value] {
    var inner = try enter(&iterator, level: level)
    var elements: [Value] = []
    while dbus_message_iter_get_arg_type(&inner) != 0 {
      elements.append(try read(&inner, as: type, level: level + 1))
      dbus_message_iter_next(&inner)
    }
    return elements
  }

  private mutating func readEntries(
    _ iterator: inout DBusMessageIter, key: SingleType, value: SingleType, level: Int
  ) throws(UnreadableBody) -> [DictionaryEntry] {
    var inner = try enter(&iterator, level: level)
    var entries: [DictionaryEntry] = []
    while dbus_message_iter_get_arg_type(&inner) != 0 {
      var entry = try enter(&inner, level: level + 1)
      let entryKey = try read(&entry, as: key, level: level + 2)
      dbus_message_iter_next(&entry)
      entries.append(DictionaryEntry(key: entryKey, value: try read(&entry, as: value, level: level + 2)))
      dbus_message_iter_next(&inner)
    }
    return entries
  }

  private func enter(_ iterator: inout DBusMessageIter, level: Int) throws(UnreadableBody) -> DBusMessageIter {
    guard level < maximumDepth else { throw .tooDeep(maximumDepth) }
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    return inner
  }

  /// Returns the type of a variant's content.
  private static func content(of iterator: inout DBusMessageIter) throws(UnreadableBody) -> SingleType {
    switch UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)) {
    case UInt8(ascii: "s"): return .string
    case UInt8(ascii: "b"): return .boolean
    case UInt8(ascii: "u"): return .uint32
    case UInt8(ascii: "t"): return .uint64
    case UInt8(ascii: "x"): return .int64
    case UInt8(ascii: "v"): return .variant
    default:
      guard let text = dbus_message_iter_get_signature(&iterator) else { throw .tooLarge }
      defer { dbus_free(text) }
      if let type = common(text) { return type }
      guard let type = try? Signature(String(cString: text)).single else { throw .unixDescriptor }
      return type
    }
  }
  /// Returns the type that a signature describes if it is one of those that dictionaries mostly contain: they need no
  /// parsing.
  private static func common(_ signature: UnsafePointer<CChar>) -> SingleType? {
    if strcmp(signature, "as") == 0 { return .array(.string) }
    if strcmp(signature, "a{sv}") == 0 { return .dictionary(key: .string, value: .variant) }
    if strcmp(signature, "aa{sv}") == 0 { return .array(.dictionary(key: .string, value: .variant)) }
    return nil
  }
}

/// Overwrites the strings and byte arrays in the arguments of a `DBusMessage` that could not be read completely,
/// because libdbus caches messages along with their contents.
enum MessageEraser {
  /// Erases everything from the iterator's position on. The recursion is limited by libdbus's 64 levels.
  static func erase(_ iterator: inout DBusMessageIter) {
    while true {
      switch UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)) {
      case 0: return
      case UInt8(ascii: "s"): eraseText(&iterator)
      case UInt8(ascii: "a") where dbus_message_iter_get_element_type(&iterator) == Int32(UInt8(ascii: "y")):
        eraseBytes(&iterator)
      case UInt8(ascii: "a"), UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "v"):
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        erase(&inner)
      default: break
      }
      dbus_message_iter_next(&iterator)
    }
  }

  private static func eraseText(_ iterator: inout DBusMessageIter) {
    var basic = DBusBasicValue()
    dbus_message_iter_get_basic(&iterator, &basic)
    if let text = basic.str { explicit_bzero(text, strlen(text)) }
  }

  private static func eraseBytes(_ iterator: inout DBusMessageIter) {
    var inner = DBusMessageIter()
    dbus_message_iter_recurse(&iterator, &inner)
    guard dbus_message_iter_get_arg_type(&inner) != 0 else { return }
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: Int32 = 0
    dbus_message_iter_get_fixed_array(&inner, &bytes, &count)
    if let bytes, count > 0 { explicit_bzero(bytes, Int(count)) }
  }
}

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

/// The limits of a connection for outgoing and incoming messages.
///
/// The bus disconnects clients that send more than it allows, so outgoing messages are checked before libdbus sees
/// them.
public struct MessageLimits: Sendable, Hashable {
  /// The maximum size of an outgoing message in bytes. A larger one fails with `LimitsExceeded`, which `call` and
  /// `emit` throw; a reply is replaced by that error.
  public var size: Int
  /// The maximum nesting of containers in an outgoing message, at most 64.
  public var depth: Int
  /// The maximum size of all strings in an incoming message in bytes.
  public var incomingSize: Int
  /// The maximum number of values in an incoming message, where containers and their elements each count. Bounds the
  /// memory that decoding needs.
  public var incomingValues: Int
  /// The maximum nesting of containers in an incoming message, at most 64.
  public var incomingDepth: Int
  /// The number of bytes that may wait to be sent. While more are waiting, outgoing calls are refused with
  /// `LimitsExceeded`, and no further incoming message is dispatched. Signals and replies are never refused for this
  /// reason.
  public var outgoingQueue: Int
  /// The number of waiting bytes above which no further large answer is sent, because everything sent after one waits
  /// behind it.
  public var largeAnswerQueue = 1 << 20
  /// The number of bytes waiting to be sent to one sender above which that sender's further calls are queued.
  public var unsentPerSender = 1 << 20
  /// The number of bytes of large answers to cache, so that they can be sent again while they are up to date.
  public var keptAnswers = 32 << 20
  /// Whether waiting calls are counted for all connections of a user together, where the bus has reported the user. In
  /// the limits below, "sender" then means a user unless noted otherwise.
  public var countsByUser = false
  /// The number of calls of one sender that may be in progress at once, always counted for each connection separately.
  /// Further calls are queued until one of them is answered.
  public var callsUnderWayPerSender = 64
  /// The number of calls of one sender that may wait for their answer, whether queued or in progress. Further ones are
  /// answered with `LimitsExceeded`. Calls that are answered immediately do not count.
  public var waitingCallsPerSender = 1_024
  /// The approximate memory that the arguments of these calls may use, in bytes.
  public var waitingBytesPerSender = 16 << 20
  /// The number of calls of all senders that may wait for their answer.
  public var waitingCalls = 16_384
  /// The approximate memory that the arguments of these calls may use, in bytes.
  public var waitingBytes = 64 << 20
  /// The number of calls of one sender that may wait for long; see ``IncomingCall/waitForLong()``.
  public var longCallsPerSender = 10_000
  /// The number of calls of all senders that may wait for long.
  public var longCalls = 20_000

  /// Limits that suit most services.
  public static let `default` = MessageLimits()

  /// Creates limits; those not given are as in ``default``.
  public init(
    size: Int = 16 << 20, depth: Int = WireLimits.depth, incomingSize: Int = 16 << 20, incomingValues: Int = 1 << 20,
    incomingDepth: Int = WireLimits.depth, outgoingQueue: Int = 64 << 20
  ) {
    self.size = min(size, WireLimits.messageSize)
    self.depth = min(depth, WireLimits.depth)
    self.incomingSize = incomingSize
    self.incomingValues = incomingValues
    self.incomingDepth = min(incomingDepth, WireLimits.depth)
    self.outgoingQueue = outgoingQueue
  }
}
