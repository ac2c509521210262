/// Lines that are compared regardless of their common indentation.
struct IndentedText: Sendable, Hashable, CustomStringConvertible {
  let lines: [Substring]

  init(_ lines: some Collection<Substring>) {
    let depth = lines.lazy.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    self.lines = lines.map { $0.dropFirst(depth) }
  }

  var description: String { lines.joined(separator: "\n") }

  /// Whether these lines occur in the source, consecutively and whole.
  func occurs(in source: [Substring]) -> Bool {
    guard let first = lines.first, source.count >= lines.count else { return false }
    return source.indices.dropLast(lines.count - 1).contains { start in
      source[start].hasSuffix(first) && IndentedText(source[start..<(start + lines.count)]) == self
    }
  }
}
