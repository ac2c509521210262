import Forms
import ScriptEngine

/// What a test wants to happen in a play that it steers.
struct SteeringRequest: Sendable {
  enum Kind: Sendable {
    /// A flow begins, or goes on with a log that was kept.
    case start(flow: String, input: [String: JSONValue], log: ScriptLog?)
    /// The user acts on the open question.
    case event(name: String, payload: [String: JSONValue], secrets: [String: Secret])
    case back
    /// The machine restarts.
    case restart
    /// Time passes, in microseconds.
    case advance(UInt64)
    /// Whether a script still fits a log.
    case fits(flow: String, log: ScriptLog)
    /// What a script asks and does with a log.
    case trace(flow: String, log: ScriptLog)
  }

  /// Where everything crashes at the next step.
  enum CrashPoint: String, Sendable {
    case beforeStep = "before-step"
    case duringStep = "during-step"
    case afterStep = "after-step"
  }

  /// The most seconds that pass at once: a hundred years.
  private static let maxSeconds = 3_155_760_000.0

  let kind: Kind
  /// The place to go on from; nil for the last one.
  let place: Int?
  let crash: CrashPoint?

  /// Reads a request.
  ///
  /// - Parameter json: a line of the test.
  /// - Throws: ``WrongRequest``.
  init(_ json: JSONValue) throws(WrongRequest) {
    kind = try Self.kind(json)
    place = json["place"]?.integer.flatMap { Int(exactly: $0) }
    crash = try json["crash"].map { json throws(WrongRequest) in
      guard let point = json.string.flatMap(CrashPoint.init) else {
        throw WrongRequest("a crash is before-, during- or after-step")
      }
      return point
    }
  }

  private static func kind(_ json: JSONValue) throws(WrongRequest) -> Kind {
    let input = json["input"]?.object ?? [:]
    if let flow = json["start"]?.string {
      return .start(flow: flow, input: input, log: try json["log"].map { log throws(WrongRequest) in try Self.log(log) })
    }
    if let name = json["event"]?.string {
      let secrets = (json["secrets"]?.object ?? [:]).compactMapValues { $0.string.map { Secret($0) } }
      return .event(name: name, payload: json["payload"]?.object ?? [:], secrets: secrets)
    }
    if json["back"]?.boolean == true { return .back }
    if json["restart"]?.boolean == true { return .restart }
    if let seconds = json["advance"]?.number, (0...maxSeconds).contains(seconds) {
      return .advance(UInt64((seconds * 1_000_000).rounded()))
    }
    if let flow = json["fits"]?.string { return .fits(flow: flow, log: try log(json["log"])) }
    if let flow = json["trace"]?.string { return .trace(flow: flow, log: try log(json["log"])) }
    throw WrongRequest("there is no such request")
  }

  private static func log(_ json: JSONValue?) throws(WrongRequest) -> ScriptLog {
    guard let json else { throw WrongRequest("the log is missing") }
    do { return try ScriptLog(json: json) } catch { throw WrongRequest("\(error)") }
  }
}

/// A line that is no request.
struct WrongRequest: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
