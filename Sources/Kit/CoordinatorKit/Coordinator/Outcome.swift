/// How a coordinator ended. Told once, to its parent and to whoever asks.
public enum Outcome: Sendable, Hashable, Codable {
  /// It did what it is for; the result is what it says about that.
  case finished([String: JSONValue])
  /// It was left or dismissed, or its parent ended.
  case cancelled
  /// It could not go on.
  case failed(Failure)

  /// The outcome in one word, as it stands on the bus: `finished`, `cancelled`, `failed`.
  public var name: String {
    switch self {
    case .finished: "finished"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  /// The result of a finished coordinator as a Swift value.
  ///
  /// - Parameter type: what to make of it.
  /// - Returns: the result; nil of any other outcome.
  /// - Throws: `DecodingError` if the result is not of that type.
  public func result<Result: Decodable>(as type: Result.Type) throws -> Result? {
    guard case .finished(let result) = self else { return nil }
    return try JSONValue.object(result).decoded(as: type)
  }
}

/// Why a coordinator failed. Throwing one from a handler fails the coordinator with it.
public struct Failure: Error, Sendable, Hashable, Codable {
  /// Stable, for scripts: `nothing-to-show`.
  public var code: String
  /// For people. Never a secret.
  public var message: String

  /// A failure with a stable code and a text for people.
  ///
  /// - Parameters:
  ///   - code: for scripts; stable.
  ///   - message: for people. Never a secret.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// What any error that a handler threw makes of its coordinator. Of an error that is not meant for people only the type is told: its
  /// description may hold what a user typed.
  init(thrown error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let refusal as Refusal: self.init(code: "refused", message: String(describing: refusal))
    // These are the kit's own, and say what the author did; others may hold what was typed.
    case let error as RouteNotShown: self.init(code: "error", message: error.description)
    case let error as InvalidResult: self.init(code: "error", message: error.description)
    default: self.init(code: "error", message: "a handler threw \(type(of: error))")
    }
  }

  static let nothingToShow = Failure(
    code: "nothing-to-show", message: "the flow has no screen, no child and no work left")
}
