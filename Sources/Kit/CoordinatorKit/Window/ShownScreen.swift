/// A screen in its place in a window.
public struct ShownScreen: Sendable {
  /// Where a screen stands in relation to those below it.
  public typealias Style = ScreenStyle

  /// What it is, in one place on the heap: windows are copied with each transition, however many screens are on them.
  ///
  /// `@unchecked Sendable`, because the fields change only where ``ShownScreen/change(_:)`` has found that nobody else refers to them.
  private final class Storage: @unchecked Sendable {
    // That nobody else refers to them is found anyway, so it need not be watched over at run time.
    @exclusivity(unchecked) var fields: Fields
    init(_ fields: Fields) { self.fields = fields }
  }

  private struct Fields: Sendable {
    let id: ScreenID
    let coordinator: CoordinatorPath
    /// Of ``coordinator``.
    let hash: Int
    let route: any RouteValue
    var style: Style
    var layer: UInt32
    var content: Screen
    var contentSize: Int
    var attached: [ScreenMessage]
    var draft: [String: JSONValue]
    var draftSize: Int
    var back: Bool
    var changedAt: UInt64
  }

  private var storage: Storage

  /// A screen in its place; `back` and `content` may have to be computed yet.
  init(
    id: ScreenID, coordinator: CoordinatorPath, route: any RouteValue, style: Style, layer: UInt32, content: Screen,
    attached: [ScreenMessage], draft: [String: JSONValue] = [:], back: Bool, changedAt: UInt64
  ) {
    storage = Storage(
      Fields(
        id: id, coordinator: coordinator, hash: coordinator.hashValue, route: route, style: style, layer: layer, content: content,
        contentSize: content.roughSize, attached: attached, draft: draft, draftSize: draft.roughSize, back: back,
        changedAt: changedAt))
  }

  private mutating func change(_ body: (inout Fields) -> Void) {
    if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.fields) }
    body(&storage.fields)
  }

  /// Whether it is the other one, unchanged. Two that are equal need not be the same.
  func isSame(as other: ShownScreen) -> Bool { storage === other.storage }

  /// Whether it is a coordinator's own; told of most screens by the hash of its path alone.
  func belongs(to coordinator: CoordinatorPath, hash: Int) -> Bool {
    storage.fields.hash == hash && storage.fields.coordinator == coordinator
  }

  /// Its number in its flow tree.
  public var id: ScreenID { storage.fields.id }
  /// The coordinator that presented it, and that takes its events.
  public var coordinator: CoordinatorPath { storage.fields.coordinator }
  /// The step inside that coordinator which it was made from.
  public var route: any RouteValue { storage.fields.route }
  /// Where it stands in relation to those below it.
  public internal(set) var style: Style {
    get { storage.fields.style }
    set { change { $0.style = newValue } }
  }
  /// 0 for the main stack, 1 and up for modal layers, each on top of the one before.
  public internal(set) var layer: UInt32 {
    get { storage.fields.layer }
    set { change { $0.layer = newValue } }
  }
  /// What it shows.
  public internal(set) var content: Screen {
    get { storage.fields.content }
    set {
      change {
        $0.content = newValue
        $0.contentSize = newValue.roughSize
      }
    }
  }
  /// Messages that came with the last event on it, and stay until the next one is accepted.
  public internal(set) var attached: [ScreenMessage] {
    get { storage.fields.attached }
    set { change { $0.attached = newValue } }
  }
  /// What was typed on it and not sent yet, by field; never a secret.
  public internal(set) var draft: [String: JSONValue] {
    get { storage.fields.draft }
    set {
      change {
        $0.draft = newValue
        $0.draftSize = newValue.roughSize
      }
    }
  }
  /// Whether the user may leave it by going back when it is on top; covering it never changes that.
  public internal(set) var back: Bool {
    get { storage.fields.back }
    set { change { $0.back = newValue } }
  }
  /// The revision in which it last changed, or was presented.
  public internal(set) var changedAt: UInt64 {
    get { storage.fields.changedAt }
    set { change { $0.changedAt = newValue } }
  }

  /// About how many bytes it takes on the bus; within a small factor.
  var roughSize: Int { storage.fields.contentSize + storage.fields.draftSize }

  /// About how many bytes of memory the draft takes up.
  var draftSize: Int { storage.fields.draftSize }

  /// What it tells its user: its own messages, then the attached ones.
  public var messages: [ScreenMessage] { attached.isEmpty ? content.messages : content.messages + attached }
}

extension [String: JSONValue] {
  /// About how many bytes of memory a draft takes up.
  fileprivate var roughSize: Int { isEmpty ? 0 : JSONValue.object(self).roughSize }
}

/// A value that names one step inside a coordinator; usually an enum case.
public typealias RouteValue = Codable & Hashable & Sendable
