extension Text {
  /// The English original of a text, or its context: a string literal without interpolation, because only literals
  /// can be found in the sources and translated.
  public struct Key: Sendable, Hashable, ExpressibleByStringLiteral {
    let text: String

    /// Creates a key from a literal.
    ///
    /// - Parameter text: the literal.
    public init(stringLiteral text: String) { self.text = text }
  }
}
