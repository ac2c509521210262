import CoordinatorKit
import RendererKit

/// Saves drafts, one call at a time. Of the drafts that arrive during a call, only the last is saved next.
actor DraftSaver {
  private let calls: FlowCalls
  private var next: (values: [String: JSONValue], screen: UInt64)?
  private var isSaving = false

  init(_ calls: FlowCalls) { self.calls = calls }

  /// Saves the draft of a screen, now or after the current call. A failure is ignored; it only affects other renderers.
  func save(_ values: [String: JSONValue], on screen: UInt64) {
    next = (values, screen)
    guard !isSaving else { return }
    isSaving = true
    Task { await saveAll() }
  }

  /// Discards the draft that has not been saved yet.
  func drop() { next = nil }

  private func saveAll() async {
    while let draft = next {
      next = nil
      try? await calls.saveDraft(draft.values, on: draft.screen)
    }
    isSaving = false
  }
}
