/// A part of a line with a uniform look.
struct Span: Sendable, Hashable {
  var text: String
  var look: Look
  /// The target of a click on the span.
  var target: Target?
  /// The address of a link.
  var link: String?

  init(_ text: String, _ look: Look = .plain, target: Target? = nil) {
    self.text = text
    self.look = look
    self.target = target
  }
}

/// A row of text that has not been put into cells yet.
struct Line: Sendable, Hashable, ExpressibleByStringLiteral {
  var spans: [Span]

  init(_ spans: [Span] = []) { self.spans = spans }

  init(_ text: String, _ look: Look = .plain, target: Target? = nil) { spans = [Span(text, look, target: target)] }

  init(stringLiteral text: String) { self.init(text) }

  static let blank = Line()

  var columns: Int { spans.reduce(0) { $0 + $1.text.columns } }

  /// Returns the line with a span before it.
  func indented(_ span: Span) -> Line { Line([span] + spans) }
}
