import DBus

/// The parts of a front door that may have changed since it was read.
struct HomeChange: Sendable, Hashable {
  /// Whether the flows that can be started may have changed.
  var flows = false
  /// Whether flow trees may have started or ended.
  var trees = false
  /// The root coordinators of the flow trees whose windows may have changed; nil for all.
  var windows: Set<ObjectPath>? = []

  static let everything = HomeChange(flows: true, trees: true, windows: nil)

  var isEmpty: Bool { self == HomeChange() }

  /// Returns whether the window of a flow tree may have changed.
  func isAbout(_ tree: ObjectPath) -> Bool { windows?.contains(tree) ?? true }

  mutating func add(_ other: HomeChange) {
    flows = flows || other.flows
    trees = trees || other.trees
    windows = windows.flatMap { own in other.windows.map { own.union($0) } }
  }
}
