/// Something that a screen tells its user, about itself or about one field.
public struct ScreenMessage: Sendable, Hashable, Codable {
  /// How serious a message is.
  public enum Level: String, Sendable, Hashable, Codable, CaseIterable {
    /// Something went wrong.
    case error
    /// Something may go wrong.
    case warning
    /// Something is good to know.
    case info
  }

  /// How serious it is.
  public var level: Level
  /// Stable, for scripts and translators: `invalid-credentials`.
  public var code: String
  /// What the user reads.
  public var text: String
  /// The field that the message is about; nil if it is about the whole screen.
  public var field: String?

  /// A message of the given level.
  ///
  /// - Parameters:
  ///   - level: how serious it is.
  ///   - code: for scripts and translators; stable.
  ///   - text: what the user reads.
  ///   - field: the field that it is about; nil if it is about the whole screen.
  public init(_ level: Level, code: String, text: String, field: String? = nil) {
    self.level = level
    self.code = code
    self.text = text
    self.field = field
  }

  /// Something went wrong.
  ///
  /// - Parameters:
  ///   - code: for scripts and translators; stable.
  ///   - text: what the user reads.
  ///   - field: the field that it is about; nil if it is about the whole screen.
  /// - Returns: the message.
  public static func error(_ code: String, _ text: String, field: String? = nil) -> ScreenMessage {
    ScreenMessage(.error, code: code, text: text, field: field)
  }

  /// Something may go wrong.
  ///
  /// - Parameters:
  ///   - code: for scripts and translators; stable.
  ///   - text: what the user reads.
  ///   - field: the field that it is about; nil if it is about the whole screen.
  /// - Returns: the message.
  public static func warning(_ code: String, _ text: String, field: String? = nil) -> ScreenMessage {
    ScreenMessage(.warning, code: code, text: text, field: field)
  }

  /// Something that is good to know.
  ///
  /// - Parameters:
  ///   - code: for scripts and translators; stable.
  ///   - text: what the user reads.
  ///   - field: the field that it is about; nil if it is about the whole screen.
  /// - Returns: the message.
  public static func info(_ code: String, _ text: String, field: String? = nil) -> ScreenMessage {
    ScreenMessage(.info, code: code, text: text, field: field)
  }
}
