/// A cache of values by key that keeps at least the `capacity` most recently used keys and fewer than twice as many.
///
/// It has two generations: a used key moves to the young one, which becomes the old one when it is full. A use
/// therefore costs one dictionary look-up, and there is no list to keep in order.
struct RecentlyUsed<Value> {
  private var young: [String: Value] = [:]
  private var old: [String: Value] = [:]
  private let capacity: Int

  init(capacity: Int) { self.capacity = max(1, capacity) }

  var count: Int { young.count + old.count }

  /// Accesses a value. Both reading and setting it count as a use.
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
