import CoordinatorKit
import Languages
import RendererKit

/// The texts of other renderers in the fields of a form.
extension ScreenView {
  /// Records the author of the values that differ from the previous draft.
  mutating func noteDraft(instead before: [String: JSONValue], by author: String?) {
    for editor in fields where !editor.field.schema.isSecret {
      let name = editor.field.name
      let typed = presented.draft[name]
      guard typed != before[name] else { continue }
      marks[name] = typed.flatMap { typed in
        guard editor.isTouched else { return .typed(in: author) }
        let text = typed.string ?? FieldText.text(of: typed, in: editor.field.schema)
        return typed == editor.draft ? nil : .differs(in: author, text: text.printable)
      }
    }
  }

  /// Records the draft that existed before this renderer was attached. Its author is not known.
  mutating func noteEarlierDraft() {
    for (name, _) in presented.draft { marks[name] = .typedBefore }
  }

  /// Returns the remark beside a field; nil for none. A text of another renderer belongs to this user once this user edits it.
  func mark(of editor: FieldEditor) -> DraftMark? {
    guard let mark = marks[editor.field.name] else { return nil }
    if case .typed = mark, editor.isTouched { return nil }
    return mark
  }

  /// The unsent values of this renderer, by field. Contains no secrets.
  var ownDraft: [String: JSONValue] {
    var draft: [String: JSONValue] = [:]
    for editor in fields where !editor.field.schema.isSecret && editor.isTouched { draft[editor.field.name] = editor.draft }
    return draft
  }
}
