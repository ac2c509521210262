extension Transition {
  /// Completes the transition: increments the revision if a screen changed, and returns the changes to publish.
  @inline(never)
  mutating func seal(_ occasion: Occasion) -> Publication {
    // By now nothing else references the window's screens, so they are changed in place.
    let (dismissed, presented, changed, drafted) = changes()
    let isStart = before.revision == 0
    let changesScreens = !presented.isEmpty || !dismissed.isEmpty || !changed.isEmpty
    if changesScreens || isStart { after.revision += 1 }
    // Not earlier, because the reason for a dismissed screen depends on its coordinator's outcome.
    after.outcomes.forgetOldest()
    let revision = after.revision
    for id in presented { after.window.update(id) { $0.changedAt = revision } }
    for (id, keys) in changed {
      guard let old = before.window[id] else { continue }
      after.window.update(id) { $0.note(changesFrom: old, in: keys, at: revision) }
    }
    return Publication(
      state: after, changesScreens: changesScreens,
      started: started.compactMap { after.coordinators[$0] }, ended: ended, dismissed: dismissed,
      presented: presented.compactMap { id in
        window[id].map { Publication.Presented(screen: $0, animated: animations[id] ?? true) }
      },
      updated: changed.compactMap { id, keys in window[id].map { Publication.Updated(screen: $0, keys: keys) } },
      drafted: drafted.compactMap { window[$0] },
      childrenChanged: parentsOfChanges(), changesLanguage: after.isAlive && after.languageName != before.languageName,
      isStart: isStart, touched: touched, time: now,
      occasion: occasion)
  }

  private typealias Changes = (
    dismissed: [Publication.Dismissed], presented: [ScreenID], changed: [(id: ScreenID, keys: Set<ScreenKey>)],
    drafted: [ScreenID]
  )

  private func changes() -> Changes {
    let difference = WindowDifference(from: before.window, to: window)
    var changes: Changes = ([], [], [], [])
    for screen in difference.removed { changes.dismissed.append(dismissal(of: screen)) }
    for screen in difference.screens {
      guard let old = difference.old(screen.id) else {
        changes.presented.append(screen.id)
        continue
      }
      let keys = screen.keysThatDiffer(from: old)
      if !keys.isEmpty { changes.changed.append((screen.id, keys)) }
      if screen.draft != old.draft { changes.drafted.append(screen.id) }
    }
    return changes
  }

  private func dismissal(of screen: ShownScreen) -> Publication.Dismissed {
    let removal = removals[screen.id]
    return Publication.Dismissed(
      screen: screen.id, reason: reason(for: screen, removal?.reason), animated: removal?.animated ?? true)
  }

  private func reason(for screen: ShownScreen, _ removal: Removal?) -> DismissalReason {
    switch removal {
    case .back: return .back
    case .replaced: return .replaced
    case .dismissed, nil: break
    }
    switch after.outcomes[screen.coordinator] {
    case nil: return .dismissed
    case .finished: return .finished
    case .cancelled: return isTimeout ? .timeout : .cancelled
    case .failed: return .failed
    }
  }

  private func parentsOfChanges() -> [CoordinatorPath] {
    if started.isEmpty && ended.isEmpty { return [] }
    let parents = Set((started + ended.map(\.path)).compactMap(\.parent))
    let (before, after) = (before.coordinators, after.coordinators)
    return parents.filter { path in
      guard let now = after[path], let old = before[path] else { return false }
      return now.children != old.children
    }.sorted { $0.text < $1.text }
  }
}

extension ShownScreen {
  /// Returns the parts that a renderer would draw differently.
  func keysThatDiffer(from old: ShownScreen) -> Set<ScreenKey> {
    var keys: Set<ScreenKey> = []
    if messages != old.messages { keys.insert(.messages) }
    if back != old.back { keys.insert(.back) }
    if leaves != old.leaves { keys.insert(.leaves) }
    guard content != old.content else { return keys }
    if content.name != old.content.name { keys.insert(.name) }
    if content.kind != old.content.kind { keys.insert(.kind) }
    if content.title != old.content.title { keys.insert(.title) }
    if content.until != old.content.until { keys.insert(.until) }
    if content.body != old.content.body { keys.insert(.body) }
    if content.actions != old.content.actions { keys.insert(.actions) }
    if content.items != old.content.items { keys.insert(.items) }
    if content.extras != old.content.extras {
      keys.formUnion(ScreenExtras.Values.keysThatDiffer(content.extras?.values, old.content.extras?.values))
    }
    if content.form != old.content.form { keys.formUnion([.schema, .fields]) }
    if content.values != old.content.values { keys.insert(.values) }
    if content.progress != old.content.progress { keys.insert(.progress) }
    if content.accent != old.content.accent { keys.insert(.accent) }
    return keys
  }
}
