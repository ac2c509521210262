import DBus
import Platform
import RendererKit

/// What a link would start, and the flow tree once a person has started it. Safe to use from any thread.
public final class OfferedFlow: Sendable {
  /// What the link would start.
  public let offer: LinkOffer
  /// Names the one request to start it: whoever presses the button, and how often, starts one tree.
  let request = Token()
  private let started = Lock<ObjectPath?>(nil)

  /// Creates a flow that nobody has started yet.
  public init(_ offer: LinkOffer) { self.offer = offer }

  /// The root coordinator of the tree that was started; nil if none was.
  var tree: ObjectPath? { started.withLock(\.self) }

  /// Whether a flow is the one that may be started now.
  func mayStart(_ flow: String) -> Bool { tree == nil && offer.flow.name.bytes.equals(flow) }

  /// Notes the tree that a person has started.
  func begin(_ tree: ObjectPath) { started.withLock { $0 = $0 ?? tree } }
}
