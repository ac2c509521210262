/// A dictionary whose copies share what neither of them has changed.
///
/// A change of a copy copies one small part of the entries, and a list of the parts, instead of all entries. So a transition that
/// changes one of a thousand coordinators copies a handful of them.
///
/// ```swift
/// let before = state.coordinators
/// state.coordinators[path] = nil
/// // `before` still has the coordinator, and shares all parts but one with `state.coordinators`.
/// ```
public struct SharedDictionary<Key: Hashable, Value> {
  /// The number of entries per part on average, above which the number of parts is doubled.
  private static var entriesPerPart: Int { 8 }

  /// The entries, by the hash values of their keys. The number of parts is a power of two.
  private var parts: [[Key: Value]] = [[:]]
  /// The number of entries.
  public private(set) var count = 0

  /// Creates an empty dictionary.
  public init() {}

  /// Whether there are no entries.
  public var isEmpty: Bool { count == 0 }

  /// The value of a key; nil if there is none. Setting nil removes the entry.
  public subscript(key: Key) -> Value? {
    get { parts[place(of: key)][key] }
    _modify {
      let place = place(of: key)
      let before = parts[place].count
      defer { hasChanged(by: parts[place].count - before) }
      yield &parts[place][key]
    }
  }

  /// Sets the value of a key.
  ///
  /// - Returns: the previous value; nil if there was none.
  @discardableResult
  public mutating func updateValue(_ value: Value, forKey key: Key) -> Value? {
    let previous = parts[place(of: key)].updateValue(value, forKey: key)
    if previous == nil { hasChanged(by: 1) }
    return previous
  }

  /// Removes an entry.
  ///
  /// - Returns: its value; nil if there was none.
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    let removed = parts[place(of: key)].removeValue(forKey: key)
    if removed != nil { count -= 1 }
    return removed
  }

  /// The keys, in no particular order.
  public var keys: [Key] { map(\.key) }

  /// The values, in no particular order.
  public var values: [Value] { map(\.value) }

  private func place(of key: Key) -> Int { parts.count == 1 ? 0 : key.hashValue & (parts.count - 1) }

  private mutating func hasChanged(by difference: Int) {
    count += difference
    guard count > parts.count * Self.entriesPerPart else { return }
    var grown = SharedDictionary()
    grown.parts = Array(repeating: [:], count: parts.count * 2)
    for (key, value) in self { grown.parts[grown.place(of: key)][key] = value }
    parts = grown.parts
  }
}

extension SharedDictionary: Sequence {
  /// Iterates over the entries, in no particular order.
  public struct Iterator: IteratorProtocol {
    fileprivate var entries: FlattenSequence<[[Key: Value]]>.Iterator

    /// Returns the next entry; nil after the last one.
    public mutating func next() -> (key: Key, value: Value)? { entries.next() }
  }

  /// Returns an iterator over the entries.
  public func makeIterator() -> Iterator { Iterator(entries: parts.joined().makeIterator()) }

  /// The number of entries.
  public var underestimatedCount: Int { count }
}

extension SharedDictionary: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of entries. Of several entries with one key, the last one stays.
  public init(dictionaryLiteral entries: (Key, Value)...) {
    for (key, value) in entries { updateValue(value, forKey: key) }
  }
}

extension SharedDictionary: Sendable where Key: Sendable, Value: Sendable {}
