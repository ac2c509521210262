/// Suggests what a mistyped string may have been meant to be.
package enum Suggestion {
  /// Returns the candidate that is most similar to a string; nil if none is similar or the string is longer than 64
  /// characters.
  ///
  /// - Parameters:
  ///   - text: the string that was given.
  ///   - candidates: the valid strings.
  /// - Returns: the shortest candidate that begins with the string, or else the closest one whose edit distance is at
  ///   most a third of the string's length, or one.
  package static func best(for text: String, among candidates: [String]) -> String? {
    // Users do not mistype names of a thousand letters, and the cost is quadratic.
    guard !text.isEmpty, text.count <= 64 else { return nil }
    if let longer = candidates.filter({ $0.hasPrefix(text) }).min(by: { $0.count < $1.count }) { return longer }
    let ranked = candidates.map { (candidate: $0, distance: distance(text, $0)) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, text.count / 3) ? best.candidate : nil
  }

  /// Returns the number of letters to change, add, remove or swap with their neighbor, ignoring case (optimal string alignment
  /// distance).
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
