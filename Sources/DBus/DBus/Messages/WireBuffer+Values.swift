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
