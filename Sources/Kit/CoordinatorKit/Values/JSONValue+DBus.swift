import DBusValues

extension JSONValue {
  /// Decodes a value that a client sent.
  ///
  /// Accepts any integer type whose value fits in a signed 64-bit integer, any array, and any dictionary with string
  /// keys. Nested variants are unwrapped.
  ///
  /// - Parameters:
  ///   - value: the value as received from the bus.
  ///   - depthLimit: the maximum nesting depth of dictionaries and arrays. A string has depth 0, an empty dictionary
  ///     depth 1.
  /// - Throws: `JSONConversionError` if JSON cannot represent the value, or if it is nested too deeply.
  public init(value: DBusValues.Value, depthLimit: Int = JSONValue.maximumSentDepth) throws(JSONConversionError) {
    self = try JSONDecoding(depthLimit: depthLimit).json(value, depth: 0)
  }

  /// Decodes a dictionary that a client sent, such as an input or a payload.
  ///
  /// - Parameters:
  ///   - value: an `a{sv}` or `a{ss}`.
  ///   - depthLimit: the maximum nesting depth, including the dictionary itself.
  /// - Returns: the object.
  /// - Throws: `JSONConversionError` if the value is not a dictionary, contains something JSON cannot represent, or is
  ///   nested too deeply.
  public static func object(
    from value: DBusValues.Value, depthLimit: Int = JSONValue.maximumSentDepth
  ) throws(JSONConversionError) -> [String: JSONValue] {
    guard case .object(let object) = try JSONValue(value: value, depthLimit: depthLimit) else {
      throw .notAnObject(path: [])
    }
    return object
  }
}

/// Converts a D-Bus value recursively, up to a depth limit. Variants do not count towards it, because `a{sv}` requires
/// them.
private struct JSONDecoding {
  let depthLimit: Int

  func json(_ value: Value, depth: Int) throws(JSONConversionError) -> JSONValue {
    switch value.unwrapped {
    case .byte(let integer): return .integer(Int64(integer))
    case .int16(let integer): return .integer(Int64(integer))
    case .uint16(let integer): return .integer(Int64(integer))
    case .int32(let integer): return .integer(Int64(integer))
    case .uint32(let integer): return .integer(Int64(integer))
    case .int64(let integer): return .integer(integer)
    case .uint64(let integer):
      guard let integer = Int64(exactly: integer) else { throw .outOfRange(path: []) }
      return .integer(integer)
    case .boolean(let boolean): return .boolean(boolean)
    case .double(let number):
      guard number.isFinite else { throw .notFinite(path: []) }
      return JSONValue(number)
    case .string(let string): return .string(string)
    case .array(_, let elements): return try array(elements, depth: depth)
    case .dictionary(let key, _, let entries):
      guard key == .string else { throw .keysNotText(path: []) }
      return try object(entries, depth: depth)
    case .objectPath, .signature, .structure, .variant:
      throw .noCounterpart(type: value.unwrapped.type.description, path: [])
    }
  }

  private func inner(_ value: DBusValues.Value, _ depth: Int, key: () -> String) throws(JSONConversionError) -> JSONValue {
    do throws(JSONConversionError) { return try json(value, depth: depth + 1) } catch { throw error.within(key()) }
  }

  private func array(_ elements: [Value], depth: Int) throws(JSONConversionError) -> JSONValue {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit, path: []) }
    var result: [JSONValue] = []
    result.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      result.append(try inner(element, depth) { "\(index)" })
    }
    return .array(result)
  }

  private func object(_ entries: [DictionaryEntry], depth: Int) throws(JSONConversionError) -> JSONValue {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit, path: []) }
    var result = [String: JSONValue]()
    for entry in entries {
      guard case .string(let key) = entry.key else { throw .keysNotText(path: []) }
      let element = try inner(entry.value, depth) { key }
      guard result.updateValue(element, forKey: key) == nil else { throw .duplicateKey(key, path: []) }
    }
    return .object(result)
  }
}
