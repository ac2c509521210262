/// A piece of a line that looks the same throughout.
struct Span: Sendable, Hashable {
  var text: String
  var look: Look
  /// What a click on it means.
  var target: Target?

  init(_ text: String, _ look: Look = .plain, target: Target? = nil) {
    self.text = text
    self.look = look
    self.target = target
  }
}

/// One row of text before it is put into cells.
struct Line: Sendable, Hashable, ExpressibleByStringLiteral {
  var spans: [Span]

  init(_ spans: [Span] = []) { self.spans = spans }

  init(_ text: String, _ look: Look = .plain, target: Target? = nil) { spans = [Span(text, look, target: target)] }

  init(stringLiteral text: String) { self.init(text) }

  static let blank = Line()

  var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// The line with something before it.
  func indented(_ span: Span) -> Line { Line([span] + spans) }
}
