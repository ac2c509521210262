import CoordinatorKit
import Platform

/// The checked rows of a list of which several are chosen, each with the fingerprint of its state when it was checked.
///
/// They are kept with the browser's session, because a page shows only a part of a long list.
public struct CheckedRows: Sendable, Hashable {
  /// The fingerprints, by the id of the row.
  private var bases: [TextBytes: String] = [:]

  /// Creates rows from their ids and fingerprints.
  init(_ rows: some Sequence<(id: String, basis: String)> = []) {
    for row in rows { bases[row.id.bytes] = row.basis }
  }

  /// Creates rows from their current state on a screen. Rows that do not exist, or cannot be chosen, are omitted.
  ///
  /// - Parameters:
  ///   - ids: ids of the rows.
  ///   - screen: list with the rows.
  init(_ ids: some Sequence<String>, on screen: Screen) {
    let wanted = Set(ids.map(\.bytes))
    guard !wanted.isEmpty else { return }
    let basis = AnswerBasis(of: screen)
    for item in screen.items ?? [] where wanted.contains(item.id.bytes) && item.disabled == nil {
      bases[item.id.bytes] = basis.digits(for: item)
    }
  }

  /// The ids of the rows, sorted.
  var ids: [String] { bases.keys.map { String($0.text) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }

  /// Returns whether a row is checked.
  func contains(_ id: String) -> Bool { bases[id.bytes] != nil }

  /// The number of the rows.
  var count: Int { bases.count }

  /// Returns the ids in the order of a list. Ids that are not in it come last, sorted, so that the daemon names them.
  func ids(in items: [Item]) -> [String] {
    let known = items.map(\.id).filter(contains)
    let there = Set(known.map(\.bytes))
    return known + ids.filter { !there.contains($0.bytes) }
  }

  /// Returns these rows with new decisions for some of them: of the ids, those in `checked` are checked, and the others are
  /// not.
  func replacing(_ ids: [String], with checked: CheckedRows) -> CheckedRows {
    var rows = self
    for id in ids { rows.bases[id.bytes] = nil }
    rows.bases.merge(checked.bases) { $1 }
    return rows
  }

  /// Returns whether all rows on the screen are unchanged since they were checked.
  func holds(on screen: Screen) -> Bool {
    let current = CheckedRows(ids, on: screen)
    return current == self
  }
}
