import CoordinatorKit
import Languages
import RendererKit

/// What others have typed into the fields of a form.
extension ScreenView {
  /// Notes who has typed what differs from the previous draft.
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

  /// Notes what was typed before this renderer was here. It is not known where.
  mutating func noteEarlierDraft() {
    for (name, _) in presented.draft { marks[name] = .typedBefore }
  }

  /// What to say beside a field; nil for nothing. Once its user edits what others have typed, it is their own.
  func mark(of editor: FieldEditor) -> DraftMark? {
    guard let mark = marks[editor.field.name] else { return nil }
    if case .typed = mark, editor.isTouched { return nil }
    return mark
  }

  /// What has been filled in here but not sent, by field. Contains no secrets.
  var ownDraft: [String: JSONValue] {
    var draft: [String: JSONValue] = [:]
    for editor in fields where !editor.field.schema.isSecret && editor.isTouched { draft[editor.field.name] = editor.draft }
    return draft
  }
}
