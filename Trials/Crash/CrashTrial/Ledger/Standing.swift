import CoordinatorClient
import DBus

/// How a flow tree stands, as its client can read it.
public enum Standing: Sendable, Hashable {
  /// The daemon has never heard of it.
  case unknown
  /// It lives, and this is all that it shows.
  case live(TreeView)
  /// It has ended.
  case ended(FlowEnd)

  /// What is shown; nil unless it lives.
  public var window: WindowSnapshot? { if case .live(let view) = self { view.window } else { nil } }

  /// Grows with every step that a tree takes.
  var progress: UInt64 {
    switch self {
    case .unknown: 0
    case .live(let view): view.window.revision
    case .ended: .max
    }
  }
}

/// All that can be read of a tree that lives, but for when it was started.
public struct TreeView: Sendable, Hashable {
  /// What can be read of one coordinator.
  public struct Node: Sendable, Hashable {
    /// The flow's name.
    public var flow: String
    /// In the order in which they were started.
    public var children: [ObjectPath]
    /// The ids of its own screens, bottom first.
    public var screens: [UInt64]

    /// Puts a node together.
    public init(flow: String, children: [ObjectPath], screens: [UInt64]) {
      (self.flow, self.children, self.screens) = (flow, children, screens)
    }
  }

  /// Its revision, and its screens with all their keys, bottom first.
  public var window: WindowSnapshot
  /// Its coordinators.
  public var nodes: [ObjectPath: Node]

  /// Puts a view together.
  public init(window: WindowSnapshot, nodes: [ObjectPath: Node]) { (self.window, self.nodes) = (window, nodes) }
}

extension Standing: CustomStringConvertible {
  /// For people.
  public var description: String {
    switch self {
    case .unknown: "not known"
    case .ended(let end): "ended: \(end.name) \(end.result)"
    case .live(let view): "\(view.window) coordinators \(view.nodes.sorted { $0.key.string < $1.key.string }.map(\.value))"
    }
  }
}
