/// A screen in its place in a window.
public struct ShownScreen: Sendable {
  /// The fields in a single heap allocation, because each transition copies windows, regardless of the number of
  /// screens.
  ///
  /// `@unchecked Sendable`, because the fields only change after ``ShownScreen/change(_:)`` has verified that this is
  /// the only reference.
  private final class Storage: @unchecked Sendable {
    // Exclusivity is ensured by the uniqueness check, so it need not be enforced at run time.
    @exclusivity(unchecked) var fields: Fields
    init(_ fields: Fields) { self.fields = fields }
  }

  private struct Fields: Sendable {
    let id: ScreenID
    let coordinator: CoordinatorPath
    /// The hash of ``coordinator``.
    let hash: Int
    let route: any RouteValue
    var style: ScreenStyle
    var layer: UInt32
    var content: Screen
    var contentSize: Int
    var attached: [ScreenMessage]
    /// What the screen says because its coordinator is held; nil if it is not.
    var held: ScreenMessage?
    var draft: [String: JSONValue]
    var draftSize: Int
    var back: Bool
    var leaves = false
    var changedAt: UInt64
    /// When its parts changed; nil if that is not known, so that all may have changed at ``changedAt``.
    var changes: ScreenChanges?
  }

  private var storage: Storage

  /// Creates a screen in its place; `back` and `content` may be computed later.
  init(
    id: ScreenID, coordinator: CoordinatorPath, route: any RouteValue, style: ScreenStyle, layer: UInt32, content: Screen,
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

  /// Returns whether it is the other screen, unchanged. False is possible even if the two are equal.
  func isSame(as other: ShownScreen) -> Bool { storage === other.storage }

  /// Returns whether it belongs to a coordinator. Most screens are ruled out by the hash of the path alone.
  func belongs(to coordinator: CoordinatorPath, hash: Int) -> Bool {
    storage.fields.hash == hash && storage.fields.coordinator == coordinator
  }

  /// The number of the screen in its flow tree.
  public var id: ScreenID { storage.fields.id }
  /// The coordinator that presented the screen and takes its events.
  public var coordinator: CoordinatorPath { storage.fields.coordinator }
  /// The route of that coordinator that the screen is computed from.
  public var route: any RouteValue { storage.fields.route }
  /// How the screen relates to those below it.
  public internal(set) var style: ScreenStyle {
    get { storage.fields.style }
    set { change { $0.style = newValue } }
  }
  /// The layer: 0 for the main stack, 1 and up for modal layers, each on top of the previous one.
  public internal(set) var layer: UInt32 {
    get { storage.fields.layer }
    set { change { $0.layer = newValue } }
  }
  /// The content of the screen.
  public internal(set) var content: Screen {
    get { storage.fields.content }
    set {
      change {
        $0.content = newValue
        $0.contentSize = newValue.roughSize
      }
    }
  }
  /// The messages that the last event attached. They stay until the screen accepts its next event.
  public internal(set) var attached: [ScreenMessage] {
    get { storage.fields.attached }
    set { change { $0.attached = newValue } }
  }
  /// Whether the screen says that its coordinator is held, in the language in which it was set.
  var isHeld: Bool {
    get { storage.fields.held != nil }
    set { change { $0.held = newValue ? .held : nil } }
  }
  /// What the user has typed but not yet sent, by field; never a secret.
  public internal(set) var draft: [String: JSONValue] {
    get { storage.fields.draft }
    set {
      change {
        $0.draft = newValue
        $0.draftSize = newValue.roughSize
      }
    }
  }
  /// Whether the user may go back from the screen when it is on top. Covering the screen does not change this.
  public internal(set) var back: Bool {
    get { storage.fields.back }
    set { change { $0.back = newValue } }
  }
  /// Whether Back on this screen ends the flow.
  public internal(set) var leaves: Bool {
    get { storage.fields.leaves }
    set { change { $0.leaves = newValue } }
  }
  /// The revision in which the screen last changed or was presented.
  public internal(set) var changedAt: UInt64 {
    get { storage.fields.changedAt }
    set { change { $0.changedAt = newValue } }
  }

  /// Records that parts of the screen changed.
  ///
  /// - Parameters:
  ///   - old: the screen before the change.
  ///   - keys: the parts that changed.
  ///   - revision: the revision of the change.
  mutating func note(changesFrom old: ShownScreen, in keys: Set<ScreenKey>, at revision: UInt64) {
    change {
      $0.changes = ($0.changes ?? ScreenChanges(since: old.changedAt))
        .noting(from: old.content, to: $0.content, in: keys, at: revision)
      $0.changedAt = revision
    }
  }

  /// Returns the revision in which what an answer rests on last changed (rule 6).
  ///
  /// - Parameters:
  ///   - event: the event to send.
  ///   - items: the chosen items of a list; nil if the event chooses none.
  /// - Returns: the revision.
  func lastChange(concerning event: String, items: [String]?) -> UInt64 {
    storage.fields.changes?.last(concerning: event, items: items, on: content) ?? changedAt
  }

  /// The approximate size on the bus in bytes, within a small factor.
  var roughSize: Int { storage.fields.contentSize + storage.fields.draftSize }

  /// The approximate size of the draft in memory, in bytes.
  var draftSize: Int { storage.fields.draftSize }

  /// All messages of the screen: those of its content, then the attached ones, then whether its coordinator is held.
  public var messages: [ScreenMessage] {
    let held = storage.fields.held
    return attached.isEmpty && held == nil ? content.messages : content.messages + attached + [held].compactMap(\.self)
  }
}

extension [String: JSONValue] {
  /// The approximate size of a draft in memory, in bytes.
  fileprivate var roughSize: Int { isEmpty ? 0 : JSONValue.object(self).roughSize }
}

/// A value that identifies one step inside a coordinator, usually an enum case.
public typealias RouteValue = Codable & Hashable & Sendable
