import CoordinatorKit

/// The checked rows of a list of which several are chosen, each with the fingerprint of what the check is based on.
///
/// They are kept with the browser's session, because a page shows only a part of a long list.
public struct CheckedRows: Sendable, Hashable {
  /// The fingerprints, by the id of the row.
  private var bases: [String: String] = [:]

  /// Creates rows from their ids and fingerprints.
  init(_ rows: some Sequence<(id: String, basis: String)> = []) {
    for row in rows { bases[row.id] = row.basis }
  }

  /// Creates rows as they are on a screen. Rows that are not there, or cannot be chosen, are left out.
  ///
  /// - Parameters:
  ///   - ids: ids of the rows.
  ///   - screen: list with the rows.
  init(_ ids: some Sequence<String>, on screen: Screen) {
    let wanted = Set(ids)
    guard !wanted.isEmpty else { return }
    let basis = AnswerBasis(of: screen)
    for item in screen.items ?? [] where wanted.contains(item.id) && item.disabled == nil {
      bases[item.id] = basis.digits(for: item)
    }
  }

  /// The ids of the rows.
  var ids: Set<String> { Set(bases.keys) }

  /// The number of the rows.
  var count: Int { bases.count }

  /// Returns the ids in the order of a list. Ids that are not in it come last, sorted, so that the daemon names them.
  func ids(in items: [Item]) -> [String] {
    let known = items.lazy.map(\.id).filter { bases[$0] != nil }
    return known + ids.subtracting(known).sorted()
  }

  /// Returns these rows with a decision about some of them: of the ids, those are checked that are in `checked`.
  func replacing(_ ids: [String], with checked: CheckedRows) -> CheckedRows {
    var rows = self
    for id in ids { rows.bases[id] = nil }
    rows.bases.merge(checked.bases) { $1 }
    return rows
  }

  /// Whether all rows are on the screen as they were when they were checked.
  func holds(on screen: Screen) -> Bool {
    let current = CheckedRows(ids, on: screen)
    return current == self
  }
}
