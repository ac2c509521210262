/// Marshals whole messages in this machine's byte order.
///
/// libdbus's own functions append one value at a time. Each of them searches for its position in the signature again and moves
/// the following bytes, and they end the process when an argument is invalid. Messages are therefore marshalled here. They have
/// passed ``OutgoingMessage/check(_:)``, so they contain nothing for which the bus would disconnect this process; tests and the
/// fuzzer let libdbus demarshal the written bytes.
///
/// Source: D-Bus Specification, "Message Format".
extension WireBuffer {
  /// The codes of the header fields that follow the fixed part of a message's header.
  private enum Field: UInt8 {
    case path = 1
    case interface, member, errorName, replySerial, destination, sender, signature
  }

  /// The body of a message that was marshalled beforehand.
  struct Body {
    /// The type codes of its values.
    var signature: String
    /// The number of its bytes.
    var count: Int
  }

  /// Appends a message that has been checked.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - serial: its serial number, which is not 0.
  mutating func append(_ message: borrowing OutgoingMessage, serial: UInt32) {
    let lengths = beginHeader(message, serial: serial)
    if !message.body.isEmpty {
      begin(.signature, "g")
      let length = beginSignature()
      for value in message.body { appendType(of: value) }
      endSignature(length)
    }
    endHeader(lengths)
    let body = count
    for value in message.body { append(value) }
    patch(lengthSince: body, at: lengths.body)
  }

  /// Appends the header of a message whose body is sent after it. The message's own body is disregarded.
  ///
  /// - Parameters:
  ///   - message: the message.
  ///   - serial: its serial number, which is not 0.
  ///   - body: the body.
  mutating func appendHeader(of message: borrowing OutgoingMessage, serial: UInt32, before body: Body) {
    let lengths = beginHeader(message, serial: serial)
    if !body.signature.isEmpty {
      begin(.signature, "g")
      let length = beginSignature()
      append(bytesOf: body.signature)
      endSignature(length)
    }
    endHeader(lengths)
    patch(body.count, at: lengths.body)
  }

  private static var byteOrder: UInt8 { 1.littleEndian == 1 ? UInt8(ascii: "l") : UInt8(ascii: "B") }

  // MARK: Header

  /// Appends a header up to the signature, and returns the positions of its lengths.
  private mutating func beginHeader(
    _ message: borrowing OutgoingMessage, serial: UInt32
  ) -> (body: Int, fields: Int) {
    origin = count
    append(byte: Self.byteOrder)
    append(byte: message.type)
    append(byte: message.flags)
    append(byte: 1)
    append(UInt32(0))
    append(serial)
    append(UInt32(0))
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
    return (origin + 4, origin + 12)
  }

  private mutating func endHeader(_ lengths: (body: Int, fields: Int)) {
    patch(lengthSince: lengths.fields + 4, at: lengths.fields)
    align(8)
  }

  private mutating func append(_ field: Field, _ code: Unicode.Scalar, _ text: String) {
    begin(field, code)
    append(text)
  }

  private mutating func begin(_ field: Field, _ code: Unicode.Scalar) {
    align(8)
    append(byte: field.rawValue)
    append(byte: 1)
    append(byte: UInt8(truncatingIfNeeded: code.value))
    append(byte: 0)
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

/// Marshals values in this machine's byte order. The values have been checked and measured before.
///
/// Source: D-Bus Specification, "Marshaling (Wire Format)".
extension WireBuffer {
  /// Appends a value.
  mutating func append(_ value: Value) {
    switch value {
    case .byte(let number): append(byte: number)
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
    case .signature(let signature):
      let length = beginSignature()
      append(bytesOf: signature.string)
      endSignature(length)
    case .array(let element, let elements):
      let array = beginArray(alignment: element.alignment)
      for element in elements { append(element) }
      endArray(array)
    case .dictionary(_, _, let entries):
      let array = beginArray(alignment: 8)
      for entry in entries {
        align(8)
        append(entry.key)
        append(entry.value)
      }
      endArray(array)
    case .structure(let members):
      align(8)
      for member in members { append(member) }
    case .variant(let content):
      let length = beginSignature()
      appendType(of: content)
      endSignature(length)
      append(content)
    }
  }

  private mutating func beginArray(alignment: Int) -> (length: Int, start: Int) {
    append(UInt32(0))
    let length = count - 4
    align(alignment)
    return (length, count)
  }

  private mutating func endArray(_ array: (length: Int, start: Int)) { patch(lengthSince: array.start, at: array.length) }

  /// Begins a signature, whose length is a single byte.
  ///
  /// - Returns: the argument for ``endSignature(_:)``.
  mutating func beginSignature() -> Int {
    append(byte: 0)
    return count - 1
  }

  /// Ends a signature.
  mutating func endSignature(_ length: Int) {
    patchByte(at: length)
    append(byte: 0)
  }

  // MARK: Types

  /// Appends the type codes of a value.
  mutating func appendType(of value: Value) {
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

  private mutating func put(_ code: Unicode.Scalar) { append(byte: UInt8(truncatingIfNeeded: code.value)) }
}
