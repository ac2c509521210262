import Languages

/// Concatenates markup. Strings are escaped.
@resultBuilder
enum HTMLBuilder {
  static func buildExpression(_ html: HTML) -> HTML { html }
  static func buildExpression(_ html: HTML?) -> HTML { html ?? HTML() }
  static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
  static func buildExpression(_ text: Text) -> HTML { HTML(text: text.string) }
  static func buildBlock(_ parts: HTML...) -> HTML { HTML(parts) }
  static func buildArray(_ parts: [HTML]) -> HTML { HTML(parts) }
  static func buildOptional(_ part: HTML?) -> HTML { part ?? HTML() }
  static func buildEither(first part: HTML) -> HTML { part }
  static func buildEither(second part: HTML) -> HTML { part }
}

/// Returns an element with content.
func tag(_ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () -> HTML = { HTML() }) -> HTML {
  HTML(name, attributes, content: content())
}

/// Returns an element with content and a list of attributes.
func tag(_ name: StaticString, _ attributes: [Attribute], @HTMLBuilder content: () -> HTML = { HTML() }) -> HTML {
  HTML(name, attributes, content: content())
}

/// Returns a void element, such as `input`, `link` or `meta`.
func void(_ name: StaticString, _ attributes: Attribute...) -> HTML { HTML(name, attributes, content: nil) }

/// Returns a void element with a list of attributes.
func void(_ name: StaticString, _ attributes: [Attribute]) -> HTML { HTML(name, attributes, content: nil) }

/// Returns markup without an enclosing element.
func group(@HTMLBuilder content: () -> HTML) -> HTML { content() }
