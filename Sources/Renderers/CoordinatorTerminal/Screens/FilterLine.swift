import Languages
import RendererKit

/// The line above the rows of a list: the text of the filter, and the number of rows.
struct FilterLine: Sendable, Hashable {
  let line: Line
  /// The column of the cursor, after the typed text.
  let cursor: Int

  init(_ list: ListBrowser, _ drawing: Drawing) {
    self.init(list.filter, list.found, drawing, columns: drawing.columns)
  }

  init(_ filter: TextEditor, _ found: RowMatches, _ drawing: Drawing, columns: Int) {
    let isFiltered = !filter.isEmpty
    let count = isFiltered ? found.count : DecimalNumber.text(of: found.total)
    let sign = "/ "
    let room = max(columns - sign.columns - count.columns - 2, 0)
    let text =
      isFiltered ? filter.window(columns: room + 1, mask: "").before : Text("type to filter").string.prefix(columns: room)
    cursor = sign.columns + min(isFiltered ? text.columns : 0, room)
    line = Line([
      Span(sign, drawing.focused), Span(text.padded(to: room + 1), isFiltered ? .plain : .quiet),
      Span(count.prefix(columns: columns), .quiet),
    ])
  }
}
