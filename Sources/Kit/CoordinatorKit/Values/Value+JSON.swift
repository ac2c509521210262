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
