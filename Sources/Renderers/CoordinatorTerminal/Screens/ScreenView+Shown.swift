import CoordinatorKit
import RendererKit

/// The fields that are currently shown.
extension ScreenView {
  /// The indices of the fields whose conditions hold, in display order.
  var shownFields: [Int] {
    let decisive = Set(fields.lazy.flatMap(\.field.conditions).map(\.field))
    guard !decisive.isEmpty else { return Array(fields.indices) }
    var values: [String: JSONValue] = [:]
    for editor in fields where decisive.contains(editor.field.name) {
      if case .value(let value) = editor.answer { values[editor.field.name] = value }
    }
    let shown = Set(Form(fields.map(\.field)).shownFields(in: values).map(\.name))
    return fields.indices.filter { shown.contains(fields[$0].field.name) }
  }

  /// Returns whether a field is the last one that is shown.
  func isLast(_ index: Int) -> Bool { shownFields.last.map { $0 <= index } ?? true }
}
