/// Values that were used recently, by name. Those that were not used for long are dropped.
struct RecentValues<Value: Sendable>: Sendable {
  /// Twice as many are kept at most.
  private static var capacity: Int { 512 }

  private var young: [String: Value] = [:]
  private var old: [String: Value] = [:]

  /// Removes and returns a value.
  mutating func take(_ name: String) -> Value? {
    if let value = young.removeValue(forKey: name) { return value }
    return old.isEmpty ? nil : old.removeValue(forKey: name)
  }

  /// Keeps a value.
  mutating func keep(_ value: Value, _ name: String) {
    if young.count >= Self.capacity {
      old = young
      young = [:]
    }
    young[name] = value
  }
}
