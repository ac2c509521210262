extension Hint {
  /// Returns the line with the most useful hints, as many as fit.
  static func line(_ hints: [Hint], columns: Int, _ symbols: Symbols) -> Line {
    var width = -symbols.separator.columns
    var shown: Set<Hint> = []
    for hint in hints.sorted(by: { $0.rank < $1.rank }) where width + symbols.separator.columns + hint.columns <= columns {
      width += symbols.separator.columns + hint.columns
      shown.insert(hint)
    }
    var line = Line()
    for hint in hints where shown.contains(hint) {
      if !line.spans.isEmpty { line.spans.append(Span(symbols.separator, .quiet)) }
      line.spans += [Span(hint.key, .strong), Span(" " + hint.meaning, .quiet)]
    }
    return line
  }
}
