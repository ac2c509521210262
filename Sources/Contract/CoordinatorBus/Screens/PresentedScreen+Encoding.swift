import CoordinatorKit
import DBus

extension PresentedScreen {
  /// Returns the screen as a dictionary of the contract. A key that the contract marks with `?` is absent if it has no value.
  ///
  /// - Parameter keys: the keys to encode; nil for all.
  /// - Returns: the contents of an `a{sv}`, without variants around the values.
  /// - Throws: `JSONConversionError` if D-Bus cannot represent a value or the schema, or if one is nested too deep.
  public func vardict(only keys: Set<ScreenKey>? = nil) throws(JSONConversionError) -> [String: Value] {
    var result: [String: Value] = [:]
    if let keys {
      for key in keys { if let value = try value(of: key) { result[key.rawValue] = value } }
    } else {
      result.reserveCapacity(Self.usualCount)
      for (key, name) in Self.names { if let value = try value(of: key) { result[name] = value } }
    }
    return result
  }

  /// The whole screen as an `a{sv}`; the same as ``sayableVardict(only:)``, without an intermediate dictionary.
  public var sayable: Value {
    if let value = try? described() { return value }
    return .vardict(sayableVardict())
  }

  private func described() throws(JSONConversionError) -> Value {
    var entries: [DictionaryEntry] = []
    entries.reserveCapacity(Self.usualCount)
    for (key, name) in Self.orderedNames { entries.add(name, try value(of: key)) }
    return .vardict(ordered: entries)
  }

  /// Most screens have no more keys.
  private static let usualCount = 12
  /// Made once: `allCases` makes an array each time.
  private static let names = ScreenKey.allCases.map { ($0, $0.rawValue) }
  private static let orderedNames = names.sorted { $0.1 < $1.1 }

  /// Returns the screen as a dictionary of the contract; without its values, form and draft if D-Bus cannot represent one of
  /// them.
  ///
  /// Values that D-Bus cannot represent are refused when a coordinator presents them, so nothing is missing in practice.
  ///
  /// - Parameter keys: the keys to encode; nil for all.
  /// - Returns: the contents of an `a{sv}`, without variants around the values.
  public func sayableVardict(only keys: Set<ScreenKey>? = nil) -> [String: Value] {
    if let vardict = try? vardict(only: keys) { return vardict }
    var rest = self
    (rest.screen.values, rest.screen.form, rest.draft) = ([:], nil, [:])
    return (try? rest.vardict(only: keys)) ?? [:]
  }

  private func value(of key: ScreenKey) throws(JSONConversionError) -> Value? {
    switch key {
    case .id: .uint64(id)
    case .coordinator: .objectPath(coordinator)
    case .style: .string(style.rawValue)
    case .layer: .uint32(layer)
    case .back: .boolean(back)
    case .leaves: leaves ? .boolean(true) : nil
    case .draft: draft.isEmpty ? nil : try .object(draft)
    default: try screen.value(of: key)
    }
  }
}
