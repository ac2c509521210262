import DBus
import Platform
import RendererKit

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
