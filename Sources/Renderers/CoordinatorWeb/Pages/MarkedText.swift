/// A text of a row, with the parts marked that match the search.
struct MarkedText: Sendable {
  let text: String
  /// The ranges of the characters to mark, in order; they do not overlap.
  let ranges: [Range<Int>]

  /// The markup.
  var html: HTML {
    guard !ranges.isEmpty else { return HTML(text: text) }
    let characters = Array(text)
    var parts: [HTML] = []
    var end = 0
    for range in ranges.map({ $0.clamped(to: end..<characters.count) }) where !range.isEmpty {
      parts.append(HTML(text: String(characters[end..<range.lowerBound])))
      parts.append(tag("mark") { String(characters[range]) })
      end = range.upperBound
    }
    parts.append(HTML(text: String(characters[end...])))
    return HTML(parts)
  }
}
