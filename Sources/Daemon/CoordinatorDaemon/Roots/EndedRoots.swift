import CoordinatorKit

/// The root coordinators that have ended most recently, by name. The oldest are forgotten.
///
/// A value that decides.
struct EndedRoots: Sendable {
  /// The maximum number of roots that are remembered.
  let capacity: Int
  private var roots: [String: EndedRoot] = [:]
  /// The names in the order in which the roots ended; those before `first` are forgotten.
  private var order: [String] = []
  private var first = 0

  /// Creates an empty record with a capacity.
  init(capacity: Int) { self.capacity = capacity }

  /// The root with a name; nil if none has ended under it, or if it is forgotten.
  subscript(name: String) -> EndedRoot? { roots[name] }

  /// The names of the roots that are remembered, in no order.
  var names: Set<String> { Set(roots.keys) }

  /// Returns the roots that ended most recently, oldest first.
  ///
  /// - Parameter count: the maximum number of roots.
  /// - Returns: the roots, at most `count`.
  func newest(_ count: Int) -> [EndedRoot] { order[first...].suffix(count).compactMap { roots[$0] } }

  /// Forgets a root.
  mutating func forget(_ name: String) {
    guard roots.removeValue(forKey: name) != nil, let index = order[first...].firstIndex(of: name) else { return }
    order.remove(at: index)
  }

  /// Remembers a root, and forgets the oldest ones beyond the capacity.
  mutating func remember(_ root: EndedRoot) {
    let name = String(root.path.root)
    if roots.updateValue(root, forKey: name) == nil { order.append(name) }
    while roots.count > capacity && first < order.count {
      roots[order[first]] = nil
      first += 1
    }
    if first > 1_024 && first * 2 > order.count {
      order.removeFirst(first)
      first = 0
    }
  }
}
