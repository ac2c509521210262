import Languages

/// The renderers that show a flow, in words.
public enum Presence {
  /// Returns the number of renderers of each kind that show a flow: "2 terminals, 1 browser".
  ///
  /// - Parameter kinds: kind of each renderer, such as "terminal"; "" if it gave none.
  /// - Returns: the words; "nobody there" without a renderer.
  public static func sentence(_ kinds: [String]) -> String {
    guard !kinds.isEmpty else { return Text("nobody there").string }
    let counts = Dictionary(grouping: kinds, by: \.self).mapValues(\.count).sorted { $0.key < $1.key }
    return counts.map { words($0.key, $0.value) }.joined(separator: ", ")
  }

  private static func words(_ kind: String, _ count: Int) -> String {
    switch kind {
    case "terminal": Text(one: "{count} terminal", other: "{count} terminals", count: count).string
    case "web": Text(one: "{count} browser", other: "{count} browsers", count: count).string
    case "": Text(one: "{count} program", other: "{count} programs", count: count).string
    // TRANSLATORS: A kind of renderers that is not known here, such as "recorder", and how many of them are there.
    default: Text("{count} {kind}", ["count": count, "kind": kind.printable]).string
    }
  }
}
