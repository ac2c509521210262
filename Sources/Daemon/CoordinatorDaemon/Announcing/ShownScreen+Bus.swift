import CoordinatorBus
import CoordinatorKit
import DBus

extension ShownScreen {
  /// Returns the screen as it is sent to clients.
  ///
  /// - Parameter progress: the progress that the work on the screen has reported since the last update; nil if none.
  /// - Returns: the screen, including the attached messages.
  func presented(progress: Progress? = nil) -> PresentedScreen {
    var screen = content
    screen.messages = messages
    if let progress { screen.progress = progress }
    return PresentedScreen(
      id: id.number, coordinator: coordinator.objectPath, style: style, layer: layer, back: back,
      draft: keptDraft, screen: screen)
  }

  /// The draft, without fields that have become secret, or that the form no longer contains, since it was saved.
  private var keptDraft: [String: JSONValue] {
    guard !draft.isEmpty, let schema = content.form?.schema else { return [:] }
    let names = Set(schema.fields.map(\.name)).subtracting(schema.secretFields)
    return draft.filter { names.contains($0.key) }
  }

  /// The draft as a dictionary of the contract.
  var draftVardict: [String: Value] { (try? Value.object(keptDraft).vardict) ?? [:] }

  /// Returns the screen as a dictionary of the contract.
  ///
  /// - Parameters:
  ///   - keys: the keys to encode; nil for all.
  ///   - progress: the progress that the work on the screen has reported since the last update; nil if none.
  /// - Returns: the contents of an `a{sv}`.
  func vardict(only keys: Set<ScreenKey>? = nil, progress: Progress? = nil) -> [String: Value] {
    presented(progress: progress).sayableVardict(only: keys)
  }

  /// Returns the whole screen as an `a{sv}` of the contract.
  ///
  /// - Parameter progress: the progress that the work on the screen has reported since the last update; nil if none.
  /// - Returns: the dictionary.
  func value(progress: Progress? = nil) -> Value { presented(progress: progress).sayable }
}
