/// Puts pieces of markup together. A text in it is escaped.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }
  static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
  static func buildBlock(_ parts: HTML...) -> HTML { HTML(parts) }
  static func buildArray(_ parts: [HTML]) -> HTML { HTML(parts) }
  static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }
  static func buildEither(first part: HTML) -> HTML { part }
  static func buildEither(second part: HTML) -> HTML { part }
}

/// An element with what is in it.
func tag(_ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML = { HTML() }) -> HTML {
  HTML(name, attributes, content: content())
}

/// An element with attributes that were put together before.
func tag(_ name: StaticString, _ attributes: [Attribute], @HTMLBuilder content: () -> HTML = { HTML() }) -> HTML {
  HTML(name, attributes, content: content())
}

/// An element that has no end: `input`, `link`, `meta`.
func void(_ name: StaticString, _ attributes: Attribute...) -> HTML { HTML(name, attributes, content: nil) }

/// An element that has no end, with attributes that were put together before.
func void(_ name: StaticString, _ attributes: [Attribute]) -> HTML { HTML(name, attributes, content: nil) }

/// Pieces without an element around them.
func group(@HTMLBuilder content: () -> HTML) -> HTML { content() }
