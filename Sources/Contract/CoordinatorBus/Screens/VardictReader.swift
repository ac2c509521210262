import CoordinatorKit
import DBus

/// Extracts values from a dictionary of variants; its errors name the key that was wrong.
struct VardictReader {
  private let vardict: [String: Value]
  /// The dictionary's name in errors; nil for the outermost one.
  private let name: String?

  init(_ vardict: [String: Value], name: String? = nil) {
    self.vardict = vardict
    self.name = name
  }

  /// Returns the value of a required key. `convert` returns nil for a value of the wrong type.
  func required<Result>(_ key: String, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result {
    guard let result = try optional(key, convert) else { throw malformed(key) }
    return result
  }

  /// Returns the value of an optional key, which must have the right type if it is present.
  func optional<Result>(_ key: String, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result? {
    guard let value = vardict[key] else { return nil }
    guard let result = convert(value) else { throw malformed(key) }
    return result
  }

  /// Returns the elements of a required array of dictionaries.
  func requiredList<Element>(
    _ key: String, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element] {
    guard let elements = try list(key, make) else { throw malformed(key) }
    return elements
  }

  /// Returns the elements of an array of dictionaries; nil if the key is absent.
  func list<Element>(
    _ key: String, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element]? {
    guard let elements = try optional(key, \.elements) else { return nil }
    var result: [Element] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      guard let vardict = element.vardict else { throw malformed(key) }
      result.append(try make(VardictReader(vardict, name: key)))
    }
    return result
  }

  /// Returns the error that names a key of this dictionary.
  func malformed(_ key: String) -> MalformedScreen {
    MalformedScreen(key: name.map { "\($0).\(key)" } ?? key)
  }
}

/// A screen's keys are written without quotes: there is one list of them.
extension VardictReader {
  func required<Result>(_ key: ScreenKey, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result {
    try required(key.rawValue, convert)
  }

  func optional<Result>(_ key: ScreenKey, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result? {
    try optional(key.rawValue, convert)
  }

  func requiredList<Element>(
    _ key: ScreenKey, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element] { try requiredList(key.rawValue, make) }

  func list<Element>(
    _ key: ScreenKey, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element]? { try list(key.rawValue, make) }

  func malformed(_ key: ScreenKey) -> MalformedScreen { malformed(key.rawValue) }
}
