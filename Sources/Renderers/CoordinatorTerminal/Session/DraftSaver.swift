import CoordinatorKit
import CoordinatorTools

/// Keeps what is being typed, one call at a time: while one is under way, of all that is typed only the last is kept for the next.
actor DraftSaver {
  private let calls: FlowCalls
  private var next: (values: [String: JSONValue], screen: UInt64)?
  private var isSaving = false

  init(_ calls: FlowCalls) { self.calls = calls }

  /// Keeps what was typed on a screen, now or soon. If that fails nothing is lost but for others.
  func save(_ values: [String: JSONValue], on screen: UInt64) {
    next = (values, screen)
    guard !isSaving else { return }
    isSaving = true
    Task { await saveAll() }
  }

  /// Forgets what has not been kept yet.
  func drop() { next = nil }

  private func saveAll() async {
    while let draft = next {
      next = nil
      try? await calls.saveDraft(draft.values, on: draft.screen)
    }
    isSaving = false
  }
}
