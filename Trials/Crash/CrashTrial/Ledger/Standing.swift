import CoordinatorClient
import DBus

/// The state of a flow tree, as its client can read it.
public enum Standing: Sendable, Hashable {
  /// The daemon does not know the tree.
  case unknown
  /// The tree is live; the value is everything that it shows.
  case live(TreeView)
  /// The tree has ended.
  case ended(FlowEnd)

  /// The window; nil unless the tree is live.
  public var window: WindowSnapshot? { if case .live(let view) = self { view.window } else { nil } }

  /// A number that grows with every transition of the tree.
  var progress: UInt64 {
    switch self {
    case .unknown: 0
    case .live(let view): view.window.revision
    case .ended: .max
    }
  }
}

/// All readable data of a live tree, except its start time.
public struct TreeView: Sendable, Hashable {
  /// All readable data of one coordinator.
  public struct Node: Sendable, Hashable {
    /// The name of the coordinator's flow.
    public var flow: String
    /// The paths of its children, in the order in which they were started.
    public var children: [ObjectPath]
    /// The ids of its own screens, bottom first.
    public var screens: [UInt64]

    /// Creates a node.
    public init(flow: String, children: [ObjectPath], screens: [UInt64]) {
      (self.flow, self.children, self.screens) = (flow, children, screens)
    }
  }

  /// The revision, and the screens with all their keys, bottom first.
  public var window: WindowSnapshot
  /// The coordinators, by path.
  public var nodes: [ObjectPath: Node]

  /// Creates a view.
  public init(window: WindowSnapshot, nodes: [ObjectPath: Node]) { (self.window, self.nodes) = (window, nodes) }
}

extension Standing: CustomStringConvertible {
  /// A human-readable description.
  public var description: String {
    switch self {
    case .unknown: "not known"
    case .ended(let end): "ended: \(end.name) \(end.result)"
    case .live(let view): "\(view.window) coordinators \(view.nodes.sorted { $0.key.string < $1.key.string }.map(\.value))"
    }
  }
}
