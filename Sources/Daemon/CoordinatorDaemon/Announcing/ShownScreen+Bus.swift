import CoordinatorBus
import CoordinatorKit
import DBus

extension ShownScreen {
  /// The screen as clients get it.
  ///
  /// - Parameter progress: what its work has reported since it was last updated.
  /// - Returns: the screen, with the attached messages among its own.
  func presented(progress: Progress? = nil) -> PresentedScreen {
    var screen = content
    screen.messages = messages
    if let progress { screen.progress = progress }
    return PresentedScreen(
      id: id.number, coordinator: coordinator.objectPath, style: style, layer: layer, back: back,
      draft: keptDraft, screen: screen)
  }

  /// What is kept of what was typed, without what has become confidential, or is no longer asked, since it was typed.
  private var keptDraft: [String: JSONValue] {
    guard !draft.isEmpty, let schema = content.form?.schema else { return [:] }
    let names = Set(schema.fields.map(\.name)).subtracting(schema.secretFields)
    return draft.filter { names.contains($0.key) }
  }

  /// The draft as it stands on the bus.
  var draftVardict: [String: Value] { (try? Value.object(keptDraft).vardict) ?? [:] }

  /// The screen as a dictionary of the contract.
  ///
  /// - Parameters:
  ///   - keys: the keys to encode; nil for all.
  ///   - progress: what its work has reported since it was last updated.
  /// - Returns: the contents of an `a{sv}`.
  func vardict(only keys: Set<ScreenKey>? = nil, progress: Progress? = nil) -> [String: Value] {
    presented(progress: progress).sayableVardict(only: keys)
  }
}
