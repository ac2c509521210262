/// Finds what somebody may have meant.
package enum Suggestion {
  /// The candidate that is most like a text, if any is like it at all.
  ///
  /// - Parameters:
  ///   - text: What was given.
  ///   - candidates: What could have been meant.
  /// - Returns: A candidate that begins with the text, or is at most a third of its letters away.
  package static func best(for text: String, among candidates: [String]) -> String? {
    // Nobody mistypes a name of a thousand letters, and the table grows with the square.
    guard !text.isEmpty, text.count <= 64 else { return nil }
    if let longer = candidates.filter({ $0.hasPrefix(text) }).min(by: { $0.count < $1.count }) { return longer }
    let ranked = candidates.map { (candidate: $0, distance: distance(text, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, text.count / 3) ? best.candidate : nil
  }

  /// How many letters have to be changed, added, removed or swapped with their neighbour (optimal string alignment).
  static func distance(_ left: String, _ right: String) -> Int {
    let left = Array(left.lowercased())
    let right = Array(right.lowercased().prefix(128))
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}
