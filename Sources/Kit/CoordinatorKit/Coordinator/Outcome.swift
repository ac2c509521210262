/// How a coordinator ended. Delivered once to its parent, and to callers that ask.
public enum Outcome: Sendable, Hashable, Codable {
  /// The coordinator reached its goal, with a result by key.
  case finished([String: JSONValue])
  /// The user left the coordinator, it was dismissed, or its parent ended.
  case cancelled
  /// The coordinator could not continue.
  case failed(Failure)

  /// The name of the outcome on the bus: `finished`, `cancelled` or `failed`.
  public var name: String { word.rawValue }

  /// The outcome without its details.
  public var word: OutcomeWord {
    switch self {
    case .finished: .finished
    case .cancelled: .cancelled
    case .failed: .failed
    }
  }

  /// Returns the result of a finished coordinator, decoded as a Swift value.
  ///
  /// - Parameter type: the type to decode.
  /// - Returns: the result, or nil if the outcome is not ``finished(_:)``.
  /// - Throws: `DecodingError` if the result cannot be decoded as that type.
  public func result<Result: Decodable>(as type: Result.Type) throws -> Result? {
    guard case .finished(let result) = self else { return nil }
    return try JSONValue.object(result).decoded(as: type)
  }
}

/// Why a coordinator failed. A handler that throws a failure fails its coordinator with it.
public struct Failure: Error, Sendable, Hashable, Codable {
  /// A stable code for scripts, such as `nothing-to-show`.
  public var code: String
  /// A message for users, unless it is technical. Must not contain a secret.
  public var message: String
  /// True if the message is technical. Optional, so that failures can be read that an older version stored.
  private var hidden: Bool?

  /// Whether the message is for administrators, because the flow's author did not write it for users: they only see that the
  /// flow has failed.
  public var isTechnical: Bool { hidden == true }

  /// Creates a failure.
  ///
  /// - Parameters:
  ///   - code: a stable code for scripts.
  ///   - message: a message for users; must not contain a secret.
  public init(code: String, message: String) {
    self.code = code
    self.message = message
  }

  /// Creates a failure whose message is for administrators.
  ///
  /// - Parameters:
  ///   - code: a stable code for scripts.
  ///   - message: what happened; must not contain a secret.
  package init(code: String, technical message: String) {
    self.init(code: code, message: message)
    hidden = true
  }

  /// Converts an error that an author's code threw to a failure. Of an unknown error, only the type is included, because its
  /// description may contain a user's input.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - thrower: the code that threw it.
  init(thrown error: any Error, by thrower: String = "a handler") {
    switch error {
    case let failure as Failure: self = failure
    case let refusal as Refusal: self.init(code: "refused", technical: String(describing: refusal))
    case let trouble as ProvidedWork.Trouble: self.init(code: trouble.type, technical: trouble.message)
    // These are the kit's own errors, and describe the author's mistake; others may contain a user's input.
    case let error as RouteNotShown: self.init(code: "error", technical: error.description)
    case let error as InvalidResult: self.init(code: "error", technical: error.description)
    case let error as WrongChild: self.init(code: "error", technical: error.description)
    case let error as MalformedScreen: self.init(code: "error", technical: error.description)
    default: self.init(code: "error", technical: "\(thrower) threw \(type(of: error))")
    }
  }

  static let nothingToShow = Failure(
    code: "nothing-to-show", technical: "the flow has no screen, no child and no work left")
}

/// An ``Outcome`` without its details. The raw values are the words of the D-Bus contract.
public enum OutcomeWord: String, Sendable, Hashable, Codable, CaseIterable {
  /// The coordinator returned a result.
  case finished
  /// Its user, its parent or a client ended it.
  case cancelled
  /// It could not continue.
  case failed
}

/// The error of a coordinator that finishes with a value that does not encode as an object.
public struct InvalidResult: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the value's type.
  public let type: String
  /// The kind of JSON value that the value encodes as: `a number`.
  public let encoding: String

  /// A message on one line, for users.
  public var description: String {
    "a flow's result must encode as an object with named values, but \(type) encodes as \(encoding): finish with a struct"
  }
}

extension JSONValue {
  /// The kind of the value, for an error message: `a number`.
  var kindForPeople: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
