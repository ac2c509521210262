import DBusValues

/// Extracts values from a dictionary of variants; its errors name the key that was wrong.
package struct VardictReader {
  private let vardict: [String: Value]
  /// The dictionary's name in errors; nil for the outermost one.
  private let name: String?
  /// Learns which keys are asked for; nil if nobody wants to know.
  private let ledger: KeyLedger?

  package init(_ vardict: [String: Value], name: String? = nil, ledger: KeyLedger? = nil) {
    self.vardict = vardict
    self.name = name
    self.ledger = ledger
    ledger?.add(vardict.keys, of: name)
  }

  /// Records keys that may be there although this reading does not need them.
  package func mayHave(_ keys: String...) {
    if let ledger { for key in keys { ledger.ask(key, of: name) } }
  }

  /// Returns the value of a required key. `convert` returns nil for a value of the wrong type.
  package func required<Result>(_ key: String, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result {
    guard let result = try optional(key, convert) else { throw malformed(key) }
    return result
  }

  /// Returns the value of an optional key, which must have the right type if it is present.
  package func optional<Result>(_ key: String, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result? {
    ledger?.ask(key, of: name)
    guard let value = vardict[key] else { return nil }
    guard let result = convert(value) else { throw malformed(key) }
    return result
  }

  /// Returns a dictionary in the dictionary; nil if the key is absent.
  package func dictionary(_ key: ScreenKey) throws(MalformedScreen) -> VardictReader? {
    try optional(key, \.vardict).map { VardictReader($0, name: key.rawValue, ledger: ledger) }
  }

  /// Returns the elements of a required array of dictionaries.
  package func requiredList<Element>(
    _ key: String, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element] {
    guard let elements = try list(key, make) else { throw malformed(key) }
    return elements
  }

  /// Returns the elements of an array of dictionaries; nil if the key is absent.
  package func list<Element>(
    _ key: String, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element]? {
    guard let elements = try optional(key, \.elements) else { return nil }
    var result: [Element] = []
    result.reserveCapacity(elements.count)
    for element in elements {
      guard let vardict = element.vardict else { throw malformed(key) }
      result.append(try make(VardictReader(vardict, name: key, ledger: ledger)))
    }
    return result
  }

  /// Returns the error that names a key of this dictionary.
  package func malformed(_ key: String, because reason: String? = nil) -> MalformedScreen {
    MalformedScreen(key: name.map { "\($0).\(key)" } ?? key, reason: reason)
  }
}

/// A screen's keys are written without quotes: there is one list of them.
extension VardictReader {
  package func required<Result>(_ key: ScreenKey, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result {
    try required(key.rawValue, convert)
  }

  package func optional<Result>(_ key: ScreenKey, _ convert: (Value) -> Result?) throws(MalformedScreen) -> Result? {
    try optional(key.rawValue, convert)
  }

  package func requiredList<Element>(
    _ key: ScreenKey, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element] { try requiredList(key.rawValue, make) }

  package func list<Element>(
    _ key: ScreenKey, _ make: (VardictReader) throws(MalformedScreen) -> Element
  ) throws(MalformedScreen) -> [Element]? { try list(key.rawValue, make) }

  package func malformed(_ key: ScreenKey, because reason: String? = nil) -> MalformedScreen {
    malformed(key.rawValue, because: reason)
  }
}
