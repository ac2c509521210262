import DBusValues

extension Value {
  /// Creates the D-Bus value that the daemon sends for a JSON value.
  ///
  /// An integer becomes `x`, a number `d`, a Boolean `b`, a string `s`, an array of strings (or an empty array) `as`,
  /// any other array `av`, and an object `a{sv}`. Null members of an object are omitted.
  ///
  /// - Parameters:
  ///   - json: the value. Null is allowed only as a member of an object.
  ///   - depthLimit: the maximum nesting depth of objects and arrays. A string has depth 0, an empty object depth 1.
  /// - Throws: `JSONConversionError` if D-Bus cannot represent the value, or if it is nested too deeply.
  public init(json: JSONValue, depthLimit: Int = JSONValue.maximumSentDepth) throws(JSONConversionError) {
    self = try JSONEncoding(depthLimit: depthLimit).value(json, depth: 0)
  }

  /// Returns the dictionary that the daemon sends for a JSON object.
  ///
  /// - Parameters:
  ///   - object: the object. Null members are omitted.
  ///   - depthLimit: the maximum nesting depth, including the object itself.
  /// - Returns: an `a{sv}` with sorted keys.
  /// - Throws: `JSONConversionError` if D-Bus cannot represent the object, or if it is nested too deeply.
  public static func object(
    _ object: [String: JSONValue], depthLimit: Int = JSONValue.maximumSentDepth
  ) throws(JSONConversionError) -> Value {
    try Value(json: .object(object), depthLimit: depthLimit)
  }
}

/// Converts a JSON value recursively, up to a depth limit.
private struct JSONEncoding {
  let depthLimit: Int

  func value(_ json: JSONValue, depth: Int) throws(JSONConversionError) -> Value {
    switch json {
    case .null: throw .nullInArray(path: [])
    case .boolean(let boolean): return .boolean(boolean)
    case .integer(let integer): return .int64(integer)
    case .number(let number):
      guard number.isFinite else { throw .notFinite(path: []) }
      return .double(number)
    case .string(let string): return .string(string)
    case .array(let elements): return try array(elements, depth: depth)
    case .object(let object): return try dictionary(object, depth: depth)
    }
  }

  private func inner(_ json: JSONValue, _ depth: Int, key: () -> String) throws(JSONConversionError) -> Value {
    do throws(JSONConversionError) { return try value(json, depth: depth + 1) } catch { throw error.within(key()) }
  }

  private func array(_ elements: [JSONValue], depth: Int) throws(JSONConversionError) -> Value {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit, path: []) }
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    var allTexts = true
    for (index, element) in elements.enumerated() {
      let value = try inner(element, depth) { "\(index)" }
      if case .string = value {} else { allTexts = false }
      values.append(value)
    }
    return allTexts ? .array(of: .string, values) : .array(of: .variant, values.map(Value.variant))
  }

  private func dictionary(_ object: [String: JSONValue], depth: Int) throws(JSONConversionError) -> Value {
    guard depth < depthLimit else { throw .tooDeep(limit: depthLimit, path: []) }
    var values: [String: Value] = [:]
    for (key, element) in object where element != .null {
      values[key] = try inner(element, depth) { key }
    }
    return .vardict(values)
  }
}

/// Why a value cannot be converted between D-Bus and JSON.
///
/// `path` locates the value from the outside in, such as `["visit", "pain"]`; an array element is given by its index.
public enum JSONConversionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Objects and arrays are nested deeper than `limit` levels.
  case tooDeep(limit: Int, path: [String])
  /// A number is NaN or infinite.
  case notFinite(path: [String])
  /// An integer does not fit in a signed 64-bit integer.
  case outOfRange(path: [String])
  /// A D-Bus type has no JSON counterpart: a structure, an object path, or a signature.
  case noCounterpart(type: String, path: [String])
  /// A dictionary's keys are not strings.
  case keysNotText(path: [String])
  /// A dictionary contains a key twice.
  case duplicateKey(String, path: [String])
  /// An array contains null. D-Bus has no null, and omitting the element would shift those after it.
  case nullInArray(path: [String])
  /// A value other than an object (`a{sv}`) was found where an object is required.
  case notAnObject(path: [String])

  /// The problem and its place, for users.
  public var description: String {
    switch self {
    case .tooDeep(let limit, let path): "\(place(path)) nested more than \(limit) levels deep"
    case .notFinite(let path): "\(place(path)) not a finite number"
    case .outOfRange(let path): "\(place(path)) an integer outside the signed 64-bit range"
    case .noCounterpart(let type, let path): "\(place(path)) of type \(type), which is not supported here"
    case .keysNotText(let path): "\(place(path)) a dictionary whose keys are not strings"
    case .duplicateKey(let key, let path): "\(place(path)) a dictionary that contains the key '\(key)' twice"
    case .nullInArray(let path): "\(place(path)) null, which D-Bus cannot represent in an array"
    case .notAnObject(let path): "\(place(path)) not a dictionary"
    }
  }

  /// Returns the same error as seen from the enclosing value, where it concerns the member or element `key`.
  ///
  /// The path is built as the error propagates, so that successful conversions do not pay for it.
  func within(_ key: String) -> JSONConversionError {
    switch self {
    case .tooDeep(let limit, let path): .tooDeep(limit: limit, path: [key] + path)
    case .notFinite(let path): .notFinite(path: [key] + path)
    case .outOfRange(let path): .outOfRange(path: [key] + path)
    case .noCounterpart(let type, let path): .noCounterpart(type: type, path: [key] + path)
    case .keysNotText(let path): .keysNotText(path: [key] + path)
    case .duplicateKey(let duplicate, let path): .duplicateKey(duplicate, path: [key] + path)
    case .nullInArray(let path): .nullInArray(path: [key] + path)
    case .notAnObject(let path): .notAnObject(path: [key] + path)
    }
  }

  private func place(_ path: [String]) -> String {
    path.isEmpty ? "the value is" : "'\(path.joined(separator: "."))' is"
  }
}

extension JSONValue {
  /// The most levels of objects and arrays that are sent over the bus, in both directions.
  public static let maximumSentDepth = 8
}

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
