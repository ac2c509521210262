/// A message to the user of a screen, about the screen or about one of its fields.
public struct ScreenMessage: Sendable, Hashable, Codable {
  /// The severity of a message.
  public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
    /// An error: something went wrong.
    case error
    /// A warning: something may go wrong.
    case warning
    /// Useful information.
    case info
  }

  /// The severity of the message.
  public var level: Level
  /// A stable code for scripts and translators, such as `invalid-credentials`.
  public var code: String
  /// The text that the user reads.
  public var text: String
  /// The field that the message is about; nil if it is about the whole screen.
  public var field: String?

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - level: the severity of the message.
  ///   - code: a stable code for scripts and translators.
  ///   - text: the text that the user reads.
  ///   - field: the field that the message is about; nil if it is about the whole screen.
  public init(_ level: Level, code: String, text: Text, field: String? = nil) {
    self.level = level
    self.code = code
    self.text = text.string
    self.field = field
  }

  /// Returns an error message.
  ///
  /// - Parameters:
  ///   - code: a stable code for scripts and translators.
  ///   - text: the text that the user reads.
  ///   - field: the field that the message is about; nil if it is about the whole screen.
  /// - Returns: the message.
  public static func error(_ code: String, _ text: Text, field: String? = nil) -> ScreenMessage {
    ScreenMessage(.error, code: code, text: text, field: field)
  }

  /// Returns a warning.
  ///
  /// - Parameters:
  ///   - code: a stable code for scripts and translators.
  ///   - text: the text that the user reads.
  ///   - field: the field that the message is about; nil if it is about the whole screen.
  /// - Returns: the message.
  public static func warning(_ code: String, _ text: Text, field: String? = nil) -> ScreenMessage {
    ScreenMessage(.warning, code: code, text: text, field: field)
  }

  /// Returns an informational message.
  ///
  /// - Parameters:
  ///   - code: a stable code for scripts and translators.
  ///   - text: the text that the user reads.
  ///   - field: the field that the message is about; nil if it is about the whole screen.
  /// - Returns: the message.
  public static func info(_ code: String, _ text: Text, field: String? = nil) -> ScreenMessage {
    ScreenMessage(.info, code: code, text: text, field: field)
  }
}

/// How far the work on a screen has progressed.
public struct Progress: Sendable, Hashable {
  /// The completed fraction, from 0 to 1; nil if unknown.
  public var fraction: Double?
  /// A description of the current step.
  public var text: String?

  /// Creates a progress value. Both parts are optional.
  ///
  /// - Parameters:
  ///   - fraction: the completed fraction, from 0 to 1; a value outside that range is clamped, and NaN becomes nil.
  ///   - text: a description of the current step.
  public init(fraction: Double? = nil, text: Text? = nil) {
    self.fraction = fraction.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    self.text = text?.string
  }
}
