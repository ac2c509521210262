/// Remembers the values of the keys that were used last: of at least `capacity` keys, and of less than twice as many.
///
/// Two generations: what is used moves to the young one, which becomes the old one when it is full. So a use costs a look-up in a
/// dictionary, and there is no list to keep in order.
struct RecentlyUsed<Value> {
  private var young: [String: Value] = [:]
  private var old: [String: Value] = [:]
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { young.count + old.count }

  /// Reading a value is a use; setting one is, too.
  subscript(key: String) -> Value? {
    mutating get {
      if let value = young[key] { return value }
      guard let value = old.removeValue(forKey: key) else { return nil }
      insert(value, for: key)
      return value
    }
    set {
      old[key] = nil
      guard let newValue else { return young[key] = nil }
      insert(newValue, for: key)
    }
  }

  private mutating func insert(_ value: Value, for key: String) {
    if young.count >= capacity, young[key] == nil { (old, young) = (young, [:]) }
    young[key] = value
  }
}
