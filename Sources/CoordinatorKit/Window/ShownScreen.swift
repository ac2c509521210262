/// A screen in its place in a window.
public struct ShownScreen: Sendable {
  /// Where a screen stands in relation to those below it.
  public enum Style: String, Sendable, Hashable, Codable {
    /// The one screen of a window router.
    case root
    /// On top of the one below in the same layer, or the first of a navigation router.
    case push
    /// The lowest screen of a modal layer.
    case modal
  }

  /// Its number in its flow tree.
  public let id: ScreenID
  /// The coordinator that presented it, and that takes its events.
  public let coordinator: CoordinatorPath
  /// The step inside that coordinator which it was made from.
  public let route: any RouteValue
  /// Where it stands in relation to those below it.
  public internal(set) var style: Style
  /// 0 for the main stack, 1 and up for modal layers, each on top of the one before.
  public internal(set) var layer: UInt32
  /// What it shows.
  public internal(set) var content: Screen
  /// Messages that came with the last event on it, and stay until the next one is accepted.
  public internal(set) var attached: [ScreenMessage]
  /// What was typed on it and not sent yet, by field; never a secret.
  public internal(set) var draft: [String: JSONValue] = [:]
  /// Whether the user may leave it by going back when it is on top; covering it never changes that.
  public internal(set) var back: Bool
  /// The revision in which it last changed, or was presented.
  public internal(set) var changedAt: UInt64

  /// About how many bytes of memory the draft takes up.
  var draftSize: Int { draft.isEmpty ? 0 : JSONValue.object(draft).roughSize }

  /// What it tells its user: its own messages, then the attached ones.
  public var messages: [ScreenMessage] { attached.isEmpty ? content.messages : content.messages + attached }
}

/// A value that names one step inside a coordinator; usually an enum case.
public typealias RouteValue = Codable & Hashable & Sendable
