/// Marshals a message in this machine's byte order.
///
/// libdbus's own functions append one value at a time. Each of them searches for its position in the signature again
/// and moves what follows, and they end the process when they are given something invalid. Messages are therefore
/// marshalled here and demarshalled by libdbus as a whole, like one received from elsewhere: with all of its checks,
/// and with an error for anything invalid.
///
/// Source: D-Bus Specification, "Marshaling (Wire Format)" and "Message Format".
struct Marshaller {
  /// The marshalled bytes.
  private(set) var bytes: [UInt8] = []

  /// The codes of the header fields that follow the fixed part of a message's header.
  private enum Field: UInt8 {
    case path = 1
    case interface, member, errorName, replySerial, destination, sender, signature
  }

  private static let lengthOfBody = 4
  private static let lengthOfFields = 12

  /// Marshals a message that has passed ``OutgoingMessage/check(_:)``. Its serial number is 1, because 0 is not valid.
  init(_ message: OutgoingMessage, size: Int) {
    bytes.reserveCapacity(size)
    bytes.append(Self.byteOrder)
    bytes.append(message.type)
    bytes.append(message.flags)
    bytes.append(1)
    append(UInt32(0))
    append(UInt32(1))
    append(UInt32(0))
    let fields = bytes.count
    appendFields(of: message)
    patch(bytes.count - fields, at: Self.lengthOfFields)
    align(8)
    let body = bytes.count
    for value in message.body { append(value) }
    patch(bytes.count - body, at: Self.lengthOfBody)
  }

  private static var byteOrder: UInt8 { 1.littleEndian == 1 ? UInt8(ascii: "l") : UInt8(ascii: "B") }

  // MARK: Header

  private mutating func appendFields(of message: OutgoingMessage) {
    if let path = message.path { append(.path, "o", path.string) }
    if let interface = message.interface { append(.interface, "s", interface) }
    if let member = message.member { append(.member, "s", member) }
    if let destination = message.destination { append(.destination, "s", destination) }
    switch message.kind {
    case .methodCall, .signal: break
    case .error(let serial, let name):
      append(.errorName, "s", name)
      begin(.replySerial, "u")
      append(serial)
    case .methodReturn(let serial):
      begin(.replySerial, "u")
      append(serial)
    }
    guard !message.body.isEmpty else { return }
    begin(.signature, "g")
    appendSignature { for value in message.body { $0.appendType(of: value) } }
  }

  private mutating func append(_ field: Field, _ code: Unicode.Scalar, _ text: String) {
    begin(field, code)
    append(text)
  }

  private mutating func begin(_ field: Field, _ code: Unicode.Scalar) {
    align(8)
    bytes.append(field.rawValue)
    bytes.append(1)
    bytes.append(UInt8(truncatingIfNeeded: code.value))
    bytes.append(0)
  }

  // MARK: Values

  private mutating func append(_ value: Value) {
    switch value {
    case .byte(let number): bytes.append(number)
    case .boolean(let bool): append(UInt32(bool ? 1 : 0))
    case .int16(let number): append(number)
    case .uint16(let number): append(number)
    case .int32(let number): append(number)
    case .uint32(let number): append(number)
    case .int64(let number): append(number)
    case .uint64(let number): append(number)
    case .double(let number): append(number.bitPattern)
    case .string(let text): append(text)
    case .objectPath(let path): append(path.string)
    case .signature(let signature): appendSignature { $0.bytes.append(contentsOf: signature.string.utf8) }
    case .array(let element, let elements):
      appendArray(alignment: element.alignment) { marshaller in
        for element in elements { marshaller.append(element) }
      }
    case .dictionary(_, _, let entries):
      appendArray(alignment: 8) { marshaller in
        for entry in entries {
          marshaller.align(8)
          marshaller.append(entry.key)
          marshaller.append(entry.value)
        }
      }
    case .structure(let members):
      align(8)
      for member in members { append(member) }
    case .variant(let content):
      appendSignature { $0.appendType(of: content) }
      append(content)
    }
  }

  private mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    align(MemoryLayout<Number>.size)
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  private mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }

  private mutating func appendArray(alignment: Int, _ elements: (inout Marshaller) -> Void) {
    append(UInt32(0))
    let length = bytes.count - 4
    align(alignment)
    let start = bytes.count
    elements(&self)
    patch(bytes.count - start, at: length)
  }

  /// Appends a signature, whose length is a single byte.
  private mutating func appendSignature(_ types: (inout Marshaller) -> Void) {
    let length = bytes.count
    bytes.append(0)
    types(&self)
    bytes[length] = UInt8(truncatingIfNeeded: bytes.count - length - 1)
    bytes.append(0)
  }

  // MARK: Types

  private mutating func appendType(of value: Value) {
    switch value {
    case .array(let element, _):
      put("a")
      append(element)
    case .dictionary(let key, let value, _): append(.dictionary(key: key, value: value))
    case .structure(let members):
      put("(")
      for member in members { appendType(of: member) }
      put(")")
    case .string: put("s")
    case .variant: put("v")
    case .boolean: put("b")
    case .uint64: put("t")
    default: append(value.type)
    }
  }

  private mutating func append(_ type: SingleType) {
    switch type {
    case .array(let element):
      put("a")
      append(element)
    case .dictionary(let key, let value):
      put("a")
      put("{")
      append(key)
      append(value)
      put("}")
    case .structure(let members):
      put("(")
      for member in members { append(member) }
      put(")")
    default:
      if let code = type.code { put(code) }
    }
  }

  private mutating func put(_ code: Unicode.Scalar) { bytes.append(UInt8(truncatingIfNeeded: code.value)) }

  // MARK: Alignment and lengths

  private mutating func align(_ alignment: Int) {
    while bytes.count & (alignment - 1) != 0 { bytes.append(0) }
  }

  /// Stores a length in the space reserved for it.
  private mutating func patch(_ length: Int, at offset: Int) {
    bytes.withUnsafeMutableBytes { $0.storeBytes(of: UInt32(truncatingIfNeeded: length), toByteOffset: offset, as: UInt32.self) }
  }
}

extension OutgoingMessage {
  /// The message type's code.
  fileprivate var type: UInt8 {
    switch kind {
    case .methodCall: 1
    case .methodReturn: 2
    case .error: 3
    case .signal: 4
    }
  }

  /// The header flags.
  fileprivate var flags: UInt8 {
    let noReplyExpected: UInt8 = 1
    let noAutoStart: UInt8 = 2
    switch kind {
    case .methodCall(let expectsReply, let autoStart):
      return (expectsReply ? 0 : noReplyExpected) | (autoStart ? 0 : noAutoStart)
    case .methodReturn, .error, .signal: return noReplyExpected
    }
  }
}
