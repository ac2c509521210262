/// Dictionaries of options, properties and other named things: `a{sv}`.
extension Value {
  /// An `a{sv}` with the keys in order, each value in a variant of its own.
  public static func vardict(_ dictionary: [String: Value]) -> Value {
    let entries = dictionary.sorted { $0.key < $1.key }.map { DictionaryEntry(key: .string($0.key), value: .variant($0.value)) }
    return .dictionary(key: .string, value: .variant, entries)
  }

  /// The contents of an `a{sv}`, each value out of its (outermost) variant, or of an `a{ss}`; nil for any other type.
  ///
  /// Of entries with the same key, which the wire format does not forbid, the last counts.
  public var vardict: [String: Value]? {
    guard case .dictionary(.string, let type, _) = unwrapped, type == .variant || type == .string else { return nil }
    return stringKeyed
  }

  /// The contents of a dictionary with strings as keys, whatever its values are; those in variants are taken out of one.
  var stringKeyed: [String: Value]? {
    guard case .dictionary(.string, _, let entries) = unwrapped else { return nil }
    var result: [String: Value] = [:]
    result.reserveCapacity(entries.count)
    for entry in entries {
      guard case .string(let key) = entry.key else { return nil }
      if case .variant(let content) = entry.value {
        result[key] = content
      } else {
        result[key] = entry.value
      }
    }
    return result
  }

  /// An `as`.
  public static func strings(_ strings: some Sequence<String>) -> Value { .array(of: .string, strings.map { .string($0) }) }

  /// An `ao`.
  public static func objectPaths(_ paths: some Sequence<ObjectPath>) -> Value {
    .array(of: .objectPath, paths.map { .objectPath($0) })
  }

  /// An `aa{sv}`.
  public static func vardicts(_ dictionaries: some Sequence<[String: Value]>) -> Value {
    .array(of: .dictionary(key: .string, value: .variant), dictionaries.map { .vardict($0) })
  }
}
