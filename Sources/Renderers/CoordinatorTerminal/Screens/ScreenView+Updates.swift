import CoordinatorBus
import CoordinatorKit
import QRCodes
import RendererKit

/// Keeps the state of the interaction when the content of a screen changes.
extension ScreenView {
  /// Adopts the rows of the current screen. A list that was empty, or is presented again, begins like a new one.
  mutating func updateList(isNew: Bool) {
    let suggested = SeveralChoice(screen)
    let isSame = suggested?.count == several?.count && !isNew
    guard let items = screen.items else {
      (list, several) = (nil, nil)
      return
    }
    if isSame { several?.update(to: items) } else { several = suggested }
    let preselected = screen.preselectedItem?.id
    if list == nil { list = ListBrowser(items) } else { list?.update(items) }
    if isNew { list?.begin(at: preselected) }
  }

  /// Returns the QR code that a screen shows. Encoding takes too long to be repeated whenever the screen is drawn.
  static func code(of screen: Screen) -> QRCode? {
    if case .code(let text) = screen.picture { QRCode(text) } else { nil }
  }

  /// Returns editors for the fields of a form. Keeps those that were edited, and those whose field has not changed.
  static func editors(
    for new: PresentedScreen, instead editors: [FieldEditor] = [], of old: PresentedScreen? = nil
  ) -> [FieldEditor] {
    (new.screen.form?.fields ?? []).map { field in
      let (value, draft) = (new.screen.values[field.name], new.draft[field.name])
      if let editor = editors.first(where: { $0.field == field }) {
        let isSame = old?.screen.values[field.name] == value && old?.draft[field.name] == draft
        if isSame || editor.isTouched { return editor }
      }
      var editor = FieldEditor(field, value: value)
      if let draft { editor.fill(draft) }
      return editor
    }
  }
}
