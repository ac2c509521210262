import DBus

/// What may have changed since a front door was read.
struct HomeChange: Sendable, Hashable {
  /// Whether the flows that can be started have.
  var flows = false
  /// Whether flow trees have started or ended.
  var trees = false
  /// The flow trees that show something else, by their root coordinators; nil for all.
  var windows: Set<ObjectPath>? = []

  static let everything = HomeChange(flows: true, trees: true, windows: nil)

  var isEmpty: Bool { self == HomeChange() }

  /// Whether a flow tree may show something else.
  func isAbout(_ tree: ObjectPath) -> Bool { windows?.contains(tree) ?? true }

  mutating func add(_ other: HomeChange) {
    flows = flows || other.flows
    trees = trees || other.trees
    windows = windows.flatMap { own in other.windows.map { own.union($0) } }
  }
}
