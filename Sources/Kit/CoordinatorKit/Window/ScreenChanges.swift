/// In which revisions those parts of a screen changed that an answer may rest on (rule 6).
///
/// An immutable object, so that a screen that never changes reserves no space for it.
final class ScreenChanges: Sendable {
  /// The revision in which the screen was presented, or in which it last changed before a restart. What has not changed
  /// since counts as changed then.
  private let start: UInt64
  /// When the title, the body, the picture, the answers under review, or the choices of a menu changed.
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

  /// Returns the revision in which what an answer rests on last changed.
  ///
  /// - Parameters:
  ///   - event: the event to send.
  ///   - chosen: the chosen items of a list; nil if the event chooses none.
  ///   - screen: the screen as it is.
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
  /// In which revisions the actions or the items of a screen changed.
  fileprivate struct Parts: Sendable {
    /// The revision in which any of them came, went or changed.
    private var any: UInt64 = 0
    /// The revisions in which those that are there came or changed, by id.
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

    /// Returns the revision in which one of them last changed; if it is not there, it may have gone with any change.
    func last(_ id: String, isThere: Bool) -> UInt64 { isThere ? changed[id] ?? 0 : any }
  }
}
