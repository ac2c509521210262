/// The language in which texts become strings.
public enum Translation {
  /// The language of the task; nil for the English originals. Set it around the code that computes screens:
  ///
  /// ```swift
  /// let screen = Translation.$current.withValue(language) { coordinator.screen(for: route) }
  /// ```
  @TaskLocal public static var current: Translations.Language?
}
