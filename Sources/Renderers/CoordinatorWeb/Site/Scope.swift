import CoordinatorKit
import DBus
import Platform
import RendererKit

/// The flow trees that browsers may see.
public enum Scope: Sendable {
  /// All flow trees; browsers may also start flows.
  case everything
  /// The flow that a link offers, and then only its tree.
  case offer(OfferedFlow)
  /// A single flow tree.
  case tree(ObjectPath)
  /// The successive runs of a flow.
  case flow(FlowRuns)

  /// The only tree that browsers may see; nil if they may see all.
  var tree: ObjectPath? {
    switch self {
    case .everything: nil
    case .offer(let offered): offered.tree
    case .tree(let tree): tree
    case .flow(let flow): flow.tree
    }
  }

  /// Whether browsers see a single flow instead of the list of all.
  var isForOneFlow: Bool { if case .everything = self { false } else { true } }

  /// Returns whether browsers may see a tree.
  func allows(_ tree: ObjectPath) -> Bool {
    if case .everything = self { true } else { self.tree == tree }
  }
}

/// The flow that a link offers, and the flow tree once a user has started it. Safe to use from any thread.
public final class OfferedFlow: Sendable {
  /// The offer of the link.
  public let offer: LinkOffer
  /// The key of the only request to start it: regardless of who presses the button, and how often, one tree is started.
  let request = Token()
  private let started = Lock<ObjectPath?>(nil)

  /// Creates a flow that has not been started yet.
  public init(_ offer: LinkOffer) { self.offer = offer }

  /// The root coordinator of the tree that was started; nil if none was.
  var tree: ObjectPath? { started.withLock(\.self) }

  /// Returns whether a flow is the one that may be started now.
  func mayStart(_ flow: String) -> Bool { tree == nil && offer.flow.name.bytes.equals(flow) }

  /// Records the tree that a user has started.
  func begin(_ tree: ObjectPath) { started.withLock { $0 = $0 ?? tree } }
}

/// The flow that a server was started for. Browsers see its latest run. Safe to use from any thread.
public final class FlowRuns: Sendable {
  private struct State {
    var tree: ObjectPath
    /// The token of the next run. Two browsers that start it at the same time get the same run.
    var next = Token()
    /// The number of the next run of a kiosk if its name is in use, which is the same for two browsers, too.
    var spare = KioskName.spare()
    /// Whether a visitor may have used the run before.
    var isUsed = false
    /// Whether a browser has looked at the run.
    var isSeen = false
  }

  /// The name of the flow.
  public let name: String
  /// The input of each run.
  public let input: [String: JSONValue]
  /// The name of the kiosk that shows the runs; nil if each run has a random name.
  let kiosk: KioskName?
  /// Receives what the operator of a kiosk must know, a line at a time.
  let complain: @Sendable (String) -> Void
  private let state: Lock<State>

  /// Creates a flow whose first run has started.
  ///
  /// - Parameters:
  ///   - name: name of the flow.
  ///   - input: input of each run.
  ///   - tree: path of the first run's root coordinator.
  ///   - kiosk: name of the kiosk that shows the runs; nil if each run has a random name.
  ///   - isUsed: whether a visitor may have used the first run before.
  ///   - complain: receives what the operator of a kiosk must know, a line at a time.
  public init(
    _ name: String, input: [String: JSONValue], tree: ObjectPath, kiosk: KioskName? = nil, isUsed: Bool = false,
    complain: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.name = name
    self.input = input
    self.kiosk = kiosk
    self.complain = complain
    state = Lock(State(tree: tree, isUsed: isUsed))
  }

  /// Whether the runs belong to a kiosk, which has one live tree.
  var isOfKiosk: Bool { kiosk != nil }
  /// Whether a visitor may have used the latest run before this server has taken it up.
  var isUsed: Bool { state.withLock { $0.isUsed } }

  /// The number of the next run of a kiosk if its name is in use.
  var spare: UInt64 { state.withLock { $0.spare } }

  /// The path of the latest run's root coordinator.
  public var tree: ObjectPath { state.withLock { $0.tree } }

  /// Returns whether a browser has looked at a run, or the run is not the latest one.
  func hasBeenSeen(_ run: ObjectPath) -> Bool { state.withLock { $0.tree != run || $0.isSeen } }

  /// Records that a browser has looked at a run.
  func note(seen run: ObjectPath) {
    state.withLock { state in if state.tree == run { state.isSeen = true } }
  }

  /// Returns the token for the run after the given one; nil if that run has already started.
  func token(after ended: ObjectPath) -> String? {
    state.withLock { state in
      guard state.tree == ended else { return nil }
      return kiosk?.token(after: ended) ?? Site.token(for: name, request: state.next.text)
    }
  }

  /// Switches to a new run, unless the given run has already been replaced.
  func goOn(with tree: ObjectPath, after ended: ObjectPath) {
    state.withLock { state in
      guard state.tree == ended else { return }
      state = State(tree: tree)
    }
  }
}
