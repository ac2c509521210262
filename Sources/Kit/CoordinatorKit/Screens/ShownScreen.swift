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
    /// The message that is shown because the coordinator is held; nil if it is not held.
    var held: ScreenMessage?
    var draft: [String: JSONValue]
    var draftSize: Int
    var back: Bool
    var leaves = false
    var changedAt: UInt64
    /// The revisions in which the parts changed; nil if unknown, so that all may have changed at ``changedAt``.
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

  /// Returns whether this is the other screen, unchanged. May return false even if the two are equal.
  func isSame(as other: ShownScreen) -> Bool { storage === other.storage }

  /// Returns whether the screen belongs to a coordinator. The hash of the path alone rules out most screens.
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
  /// Whether the screen shows the message that its coordinator is held, in the language at the time when it was set.
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

  /// Returns the revision in which the parts that an answer depends on last changed (rule 6).
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

  /// All messages of the screen: those of its content, then the attached ones, then the one for a held coordinator.
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

/// The relation of a screen to the screens below it. The raw values are the words of the D-Bus contract.
public enum ScreenStyle: String, Sendable, Hashable, Codable, CaseIterable {
  /// The only screen of a window router.
  case root
  /// A screen on top of the one below in the same layer, or the first screen of a navigation router.
  case push
  /// The lowest screen of a modal layer.
  case modal
}

/// Records the revisions in which the parts of a screen changed that an answer may depend on (rule 6).
///
/// An immutable object, so that a screen that never changes reserves no space for it.
final class ScreenChanges: Sendable {
  /// The revision in which the screen was presented, or in which it last changed before a restart. Parts without a later change
  /// count as changed then.
  private let start: UInt64
  /// The revision in which the title, the body, the picture, the answers under review, or the choices of a menu changed.
  private let text: UInt64
  private let schema: UInt64
  private let actions: Parts
  private let items: Parts

  private init(start: UInt64, text: UInt64, schema: UInt64, actions: Parts, items: Parts) {
    (self.start, self.text, self.schema, self.actions, self.items) = (start, text, schema, actions, items)
  }

  /// Creates a record without changes.
  ///
  /// - Parameter start: the revision since which the screen has not changed.
  convenience init(since start: UInt64) {
    self.init(start: start, text: 0, schema: 0, actions: Parts(), items: Parts())
  }

  /// Returns the record after a change.
  func noting(from old: Screen, to new: Screen, in keys: Set<ScreenKey>, at revision: UInt64) -> ScreenChanges {
    let isOtherText =
      !keys.isDisjoint(with: [.title, .body, .kind, .name, .review, .picture]) || new.kind == .menu && keys.contains(.actions)
    var (actions, items) = (actions, items)
    if keys.contains(.actions) { actions.note(from: old.actions, to: new.actions, id: \.id, at: revision) }
    if keys.contains(.items) { items.note(from: old.items ?? [], to: new.items ?? [], id: \.id, at: revision) }
    return ScreenChanges(
      start: start, text: isOtherText ? revision : text, schema: keys.contains(.schema) ? revision : schema,
      actions: actions, items: items)
  }

  /// Returns the revision in which the parts that an answer depends on last changed.
  ///
  /// - Parameters:
  ///   - event: the event to send.
  ///   - chosen: the chosen items of a list; nil if the event chooses none.
  ///   - screen: the current screen.
  /// - Returns: the revision.
  func last(concerning event: String, items chosen: [String]?, on screen: Screen) -> UInt64 {
    var last = start
    if let chosen {
      let there = chosen.count > 1 ? Set(screen.items?.map(\.id) ?? []) : nil
      for id in chosen {
        let isThere = there?.contains(id) ?? (screen.items?.contains { $0.id == id } == true)
        last = max(last, items.last(id, isThere: isThere))
      }
    } else {
      last = max(last, actions.last(event, isThere: screen.actions.contains { $0.id == event }))
    }
    if screen.kind != .list { last = max(last, text) }
    if screen.isForm(sentBy: event) { last = max(last, schema) }
    return last
  }
}

extension ScreenChanges {
  /// Records the revisions in which the actions or the items of a screen changed.
  fileprivate struct Parts: Sendable {
    /// The revision in which any of them was added, removed or changed.
    private var any: UInt64 = 0
    /// The revisions in which the present ones were added or changed, by id.
    private var changed: [String: UInt64] = [:]

    /// Records a change.
    mutating func note<Value: Equatable>(
      from old: [Value], to new: [Value], id: KeyPath<Value, String>, at revision: UInt64
    ) {
      let before = Dictionary(old.map { ($0[keyPath: id], $0) }, uniquingKeysWith: { $1 })
      var now: [String: UInt64] = [:]
      for value in new {
        let name = value[keyPath: id]
        if before[name] != value { now[name] = revision } else if let known = changed[name] { now[name] = known }
      }
      changed = now
      any = revision
    }

    /// Returns the revision in which one of them last changed; if it is absent, any change may have removed it.
    func last(_ id: String, isThere: Bool) -> UInt64 { isThere ? changed[id] ?? 0 : any }
  }
}

/// The keys of a screen. The raw values are the keys of the dictionary that describes a screen in the D-Bus contract,
/// and in JSON.
public enum ScreenKey: String, Sendable, Hashable, CaseIterable {
  /// The place of the screen; these keys never change while it is shown.
  case id, coordinator, style, layer
  /// The properties of ``Screen`` with these names.
  case name, kind, title, body, actions, items, values, messages, progress, accent, until
  /// The parts of ``Screen`` that only some screens have.
  case step, choosing, suggested, `default`, blocks, picture, review, origin, elapses
  /// `Form.schema` of the screen's form.
  case schema
  /// `Form.order` of the screen's form.
  case fields
  /// ``ShownScreen/back``.
  case back
  /// ``ShownScreen/leaves``.
  case leaves
  /// ``ShownScreen/draft``.
  case draft
}
