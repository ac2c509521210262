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
