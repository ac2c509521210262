import CoordinatorKit
import DBus

extension Value {
  /// Makes the D-Bus value that the daemon sends for a value of JSON.
  ///
  /// An integer is `x`, a number `d`, a boolean `b`, a text `s`, an array of texts `as` (an empty array too), any other
  /// array `av` and an object `a{sv}`. A null is left out of an object.
  ///
  /// - Parameters:
  ///   - json: The value; null only within an object.
  ///   - depthLimit: How deep objects and arrays may be nested; a text has depth 0, an empty object 1.
  /// - Throws: `JSONConversionError` for what D-Bus cannot say, and for what is nested too deep.
  public init(json: JSONValue, depthLimit: Int = Contract.maximumDepth) throws(JSONConversionError) {
    self = try JSONEncoding(depthLimit: depthLimit).value(json, depth: 0)
  }

  /// Makes the dictionary that the daemon sends for an object of JSON.
  ///
  /// - Parameters:
  ///   - object: The object; a null in it is left out.
  ///   - depthLimit: How deep it may be nested, itself included.
  /// - Returns: An `a{sv}` with sorted keys.
  /// - Throws: `JSONConversionError` for what D-Bus cannot say, and for what is nested too deep.
  public static func object(
    _ object: [String: JSONValue], depthLimit: Int = Contract.maximumDepth
  ) throws(JSONConversionError) -> Value {
    try Value(json: .object(object), depthLimit: depthLimit)
  }
}

/// Goes down a value of JSON, with a limit on how far.
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
