/// Dictionaries of options, properties and other named values: `a{sv}`.
extension Value {
  /// Returns an `a{sv}` with sorted keys, each value in a variant.
  public static func vardict(_ dictionary: [String: Value]) -> Value {
    let entries = dictionary.sorted { $0.key < $1.key }.map { DictionaryEntry(key: .string($0.key), value: .variant($0.value)) }
    return .dictionary(key: .string, value: .variant, entries)
  }

  /// Returns an `a{sv}` of entries that are in the order of their keys already, which saves a dictionary.
  ///
  /// - Parameter entries: the entries, whose keys are strings that differ, and whose values are variants.
  /// - Returns: the same as ``vardict(_:)`` of a dictionary with these entries.
  public static func vardict(ordered entries: [DictionaryEntry]) -> Value {
    .dictionary(key: .string, value: .variant, entries)
  }

  /// The contents of an `a{sv}`, each value without its outermost variant, or of an `a{ss}`; nil for any other type.
  ///
  /// If a key occurs several times, which the wire format does not forbid, the last entry counts.
  public var vardict: [String: Value]? {
    guard case .dictionary(.string, let type, _) = unwrapped, type == .variant || type == .string else { return nil }
    return stringKeyed
  }

  /// The contents of a dictionary with string keys and values of any type, each value without its outermost variant;
  /// nil for any other type.
  package var stringKeyed: [String: Value]? {
    guard case .dictionary(.string, _, let entries) = unwrapped else { return nil }
    var result = [String: Value]()
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

  /// Returns an `as`.
  public static func strings(_ strings: some Sequence<String>) -> Value { .array(of: .string, strings.map { .string($0) }) }

  /// Returns an `ao`.
  public static func objectPaths(_ paths: some Sequence<ObjectPath>) -> Value {
    .array(of: .objectPath, paths.map { .objectPath($0) })
  }

  /// Returns an `aa{sv}`.
  public static func vardicts(_ dictionaries: some Sequence<[String: Value]>) -> Value {
    .array(of: .dictionary(key: .string, value: .variant), dictionaries.map { .vardict($0) })
  }
}
