import Forms
import Platform

/// One operation of a script.
package struct ScriptOperation: Sendable, Hashable {
  /// The request of an operation.
  package enum Kind: Sendable, Hashable {
    case ask(Question)
    case step(StepRequest)
    case value(ValueKind)
    case child(flow: String, input: [String: JSONValue], keys: [String]? = nil)
    case timer(Due)
    case patched
  }

  /// A value that differs each time, and so has to be recorded.
  package enum ValueKind: Sendable, Hashable {
    /// The time in seconds since 1970.
    case now
    /// A number from 0 to 1.
    case random
    /// A UUID of version 4.
    case uuid
    /// The language of the whole flow tree from here on. It is recorded so that the script sets it once.
    case language(LanguageTag)
  }

  /// When a timer ends.
  package enum Due: Sendable, Hashable {
    case seconds(Double)
    /// In seconds since 1970.
    case time(Double)
  }

  /// The author's name of the operation.
  package var name: String
  package var kind: Kind
  /// Where the operation is in the script; "" if unknown.
  package var place: String
  /// How the reply is printed, for a process whose only way to return something is its output.
  package var output: OutputStyle?
  /// Whether the script sends the next operation without waiting for this one.
  package var isFollowed: Bool

  /// Creates an operation.
  package init(
    _ name: String, _ kind: Kind, at place: String = "", output: OutputStyle? = nil, isFollowed: Bool = false
  ) {
    (self.name, self.kind, self.place, self.output, self.isFollowed) = (name, kind, place, output, isFollowed)
  }
}

/// A step or a look, as a script asks for it.
package struct StepRequest: Sendable, Hashable {
  package var isLook: Bool
  package var busy = ""
  package var secrets: [String] = []
  package var undo: Undo?
  package var isOnce = false
  /// The maximum number of attempts; nil if it is not retried after a failure.
  package var mostAttempts: UInt64?
  /// Whether the user may stop it.
  package var isStoppable = false
  /// Whether its result is a secret, which the next step can take under its name.
  package var isResultSecret = false

  /// Creates a request.
  package init(
    isLook: Bool = false, busy: String = "", secrets: [String] = [], undo: Undo? = nil, isOnce: Bool = false,
    mostAttempts: UInt64? = nil, isStoppable: Bool = false, isResultSecret: Bool = false
  ) {
    (self.isLook, self.busy, self.secrets, self.undo, self.isOnce) = (isLook, busy, secrets, undo, isOnce)
    (self.mostAttempts, self.isStoppable, self.isResultSecret) = (mostAttempts, isStoppable, isResultSecret)
  }
}

extension ScriptOperation {
  /// Reads an operation.
  ///
  /// - Throws: ``ScriptCrash`` if it is not one.
  init(json: JSONValue) throws(ScriptCrash) {
    let place = json["at"]?.string ?? ""
    let (name, kind) = try Self.kind(of: json, at: place)
    guard Self.isName(name) else {
      throw ScriptCrash("\(name.debugDescription) is not a name: it takes 1 to 64 letters, digits, '.', '-' and '_'", at: place)
    }
    self.init(
      name, kind, at: place, output: json["output"]?.string.flatMap { OutputStyle(rawValue: $0) },
      isFollowed: json["more"]?.boolean ?? false)
  }

  private static func kind(of json: JSONValue, at place: String) throws(ScriptCrash) -> (String, Kind) {
    if let name = json["ask"]?.string { return (name, .ask(try Question(name, json: json, at: place))) }
    if let name = json["step"]?.string {
      let step = StepRequest(
        busy: json["busy"]?.string ?? "", secrets: json["secrets"]?.strings ?? [], undo: Undo(json: json["undo"]),
        isOnce: json["once"]?.boolean ?? false, mostAttempts: try attempts(json, of: name, at: place),
        isStoppable: json["stoppable"]?.boolean ?? false, isResultSecret: json["secret-result"]?.boolean ?? false)
      return (name, .step(step))
    }
    if let name = json["look"]?.string {
      let look = StepRequest(
        isLook: true, busy: json["busy"]?.string ?? "", mostAttempts: try attempts(json, of: name, at: place),
        isStoppable: json["stoppable"]?.boolean ?? false, isResultSecret: json["secret-result"]?.boolean ?? false)
      return (name, .step(look))
    }
    if let name = json["value"]?.string {
      return (name, .value(try ValueKind(name, at: place)))
    }
    if let name = json["child"]?.string {
      guard let flow = json["flow"]?.string else { throw ScriptCrash("the child \(name) has no flow", at: place) }
      return (name, .child(flow: flow, input: json["input"]?.object ?? [:], keys: json["keys"]?.strings))
    }
    if let name = json["timer"]?.string {
      if let seconds = json["seconds"]?.number, seconds.isFinite { return (name, .timer(.seconds(seconds))) }
      if let time = json["until"]?.number, time.isFinite { return (name, .timer(.time(time))) }
      throw ScriptCrash("the timer \(name) has neither seconds nor until", at: place)
    }
    if let name = json["patched"]?.string { return (name, .patched) }
    throw ScriptCrash("there is no such operation: \(String(json.canonicalText.unicodeScalars.prefix(200)))", at: place)
  }

  /// The numbers of attempts that a script may request.
  private static let attempts: ClosedRange<Int64> = 1...100

  private static func attempts(_ json: JSONValue, of name: String, at place: String) throws(ScriptCrash) -> UInt64? {
    guard let attempts = json["attempts"], !attempts.isNull else { return nil }
    guard let number = attempts.integer, Self.attempts.contains(number) else {
      throw ScriptCrash("the attempts of \(name) are a number from 1 to \(Self.attempts.upperBound)", at: place)
    }
    return UInt64(number)
  }

  /// Whether a text can name an operation, and so a screen.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || ".-_".utf8.contains($0) }
  }
}

extension ScriptOperation.ValueKind {
  /// The beginning of the name of a value that sets the language, before its tag.
  private static let languagePrefix = "language-"

  /// Reads the name of a value.
  ///
  /// - Throws: ``ScriptCrash`` if there is no such value.
  fileprivate init(_ name: String, at place: String) throws(ScriptCrash) {
    switch name {
    case "now": self = .now
    case "random": self = .random
    case "uuid": self = .uuid
    default:
      guard let tag = name.bytes.dropping(prefix: Self.languagePrefix) else {
        throw ScriptCrash("there is no value \(name)", at: place)
      }
      do { self = .language(try LanguageTag(String(tag))) } catch { throw ScriptCrash("\(error)", at: place) }
    }
  }
}

extension ScriptOperation.Due {
  /// Returns the end of a timer that starts now, in microseconds since 1970.
  func time(after now: UInt64) -> UInt64 {
    switch self {
    case .seconds(let seconds): Self.microseconds(Double(now) / 1e6 + max(seconds, 0))
    case .time(let time): Self.microseconds(time)
    }
  }

  /// The duration in microseconds; nil if the script has given a time of the wall clock.
  package var duration: UInt64? {
    switch self {
    case .seconds(let seconds): Self.microseconds(max(seconds, 0))
    case .time: nil
    }
  }

  private static func microseconds(_ seconds: Double) -> UInt64 {
    let value = (seconds * 1e6).rounded()
    return value <= 0 ? 0 : value >= 9e18 ? 9_000_000_000_000_000_000 : UInt64(value)
  }
}
