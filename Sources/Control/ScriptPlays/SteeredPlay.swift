import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import Platform
import RendererKit
import ScriptEngine

/// A play whose events a test determines, line by line: for test frameworks of other languages. Docs/script-protocol.md
/// describes the protocol.
package struct SteeredPlay: Sendable {
  /// A place in a play, from which the play can continue.
  private struct Place: Sendable {
    let state: TreeState
    let now: Timestamp
    let outcome: Outcome?
    /// The logs of the coordinators that have ended.
    var ended: [JSONValue] = []
  }

  private let scripts: LocalScripts
  private var explorer: FlowExplorer
  private var places: [Place] = []

  /// Creates a play.
  ///
  /// - Parameter scripts: serves the scripts.
  package init(on scripts: LocalScripts) { (self.scripts, explorer) = (scripts, FlowExplorer("", playing: scripts)) }

  /// Executes a request.
  ///
  /// - Parameter line: a request as JSON.
  /// - Returns: the reply, as JSON on one line.
  package mutating func answer(_ line: String) async -> String {
    let reply: JSONValue
    do {
      guard let json = JSONValue(json: line) else { throw WrongRequest("this is not JSON") }
      reply = try await self.reply(to: SteeringRequest(json))
    } catch let error as PlayProblem {
      reply = error.reply
    } catch {
      reply = ["wrong": .string("\(error)")]
    }
    return reply.text(omittingNulls: false)
  }

  private mutating func reply(to request: SteeringRequest) async throws -> JSONValue {
    switch request.kind {
    case .fits(let flow, let log):
      guard scripts.scripts[flow] != nil else { throw PlayProblem(noScript: flow) }
      guard let misfit = await KeptLog(log, of: flow).misfit(on: scripts) else { return ["fits": true] }
      return ["fits": false, "misfit": .string(misfit)]
    case .trace(let flow, let log):
      guard let script = scripts.scripts[flow] else { throw PlayProblem(noScript: flow) }
      let trace = await scripts.trace(script, as: LocalScripts.instance(of: flow), with: log)
      return ["trace": .array(trace.operations.map(\.json))]
    case .start, .event, .back, .restart, .advance: return try await happened(request)
    }
  }

  // MARK: Events

  private mutating func happened(_ request: SteeringRequest) async throws -> JSONValue {
    var ended: [JSONValue] = []
    var before: TreeState?
    if case .start(let flow, _, _) = request.kind {
      places = []
      guard scripts.scripts[flow] != nil else { throw PlayProblem(noScript: flow) }
      explorer = FlowExplorer(flow, playing: scripts)
    } else {
      let number = request.place ?? places.count - 1
      guard places.indices.contains(number) else { throw WrongRequest("nothing was started") }
      let place = places[number]
      guard place.outcome == nil else { throw PlayProblem("the flow has ended", .refused) }
      (before, explorer.startTime, ended) = (place.state, place.now, place.ended)
    }
    var run = PlayedRun(steering: explorer, in: scripts, from: before, crash: request.crash)
    defer { run.close() }
    try await take(request.kind, in: &run)
    let state = await run.state.withCopiedSecrets
    // A person watches the script, so it is not executed again for the comparison.
    let difference = scripts.clock.isReal ? nil : await repeated(run.endings, state, &ended)
    let place = Place(state: state, now: run.now, outcome: run.outcome, ended: ended)
    places.append(place)
    var reply = reply(of: place)
    reply["place"] = .integer(Int64(places.count - 1))
    reply["ended"] = .array(ended)
    reply["differs"] = difference
    return .object(reply)
  }

  private func take(_ kind: SteeringRequest.Kind, in run: inout PlayedRun) async throws {
    switch kind {
    case .start(let flow, let input, let log):
      if let log { scripts.goOn(with: log) }
      try await run.start(flow, input: log?.input ?? input)
    case .event(let name, let payload, let secrets):
      guard let question = await run.question else { throw PlayProblem("no question is open", .refused) }
      // A form with invalid values is not sent.
      let all = payload.merging(secrets.mapValues { _ in ["secret": true] }) { $1 }
      guard Question(screen: question.shown.content, digest: "").accepts(.event(name, all)) else {
        throw PlayProblem(
          "the question \(question.key) does not accept \(name) \(JSONValue.object(all).canonicalText)", .refused)
      }
      try await make(.event(name, payload, secrets: secrets), on: question, in: &run)
    case .back:
      guard let question = await run.question, question.shown.back else { throw PlayProblem("there is no way back", .refused) }
      try await make(.back, on: question, in: &run)
    case .restart: try await run.restart()
    case .advance(let time): try await run.advance(to: Timestamp(microseconds: run.now.microseconds + time))
    case .fits, .trace: break
    }
  }

  private func make(_ act: PlayedMove.Act, on question: PlayedQuestion, in run: inout PlayedRun) async throws {
    do {
      try await run.make(PlayedMove(act, on: question))
    } catch let invalid as InvalidAnswer {
      let reasons = JSONValue.object(invalid.reasons.mapValues { .string($0) }).canonicalText
      throw PlayProblem("the question \(question.key) does not accept \(reasons)", .refused)
    }
  }

  /// Executes the played scripts two more times, and returns the first difference. Ended coordinators get their whole logs.
  private func repeated(_ endings: [DecidedEvent], _ state: TreeState, _ ended: inout [JSONValue]) async -> JSONValue? {
    for ending in endings {
      guard let log = ending.toldLog else {
        ended.append(described(ending.script.name, ending.logBefore, ending.input, ending.keptSecrets))
        continue
      }
      let (first, whole) = await scripts.traceAndLog(ending.script, as: ending.instance, with: log)
      ended.append(["flow": .string(ending.script.name), "log": whole.json])
      if let difference = await difference(first, of: ending.script, ending.instance, with: log) { return difference }
    }
    guard let record = state.coordinatorsInOrder.last, let log = record.log, let script = scripts.scripts[record.flow] else {
      return nil
    }
    let first = await scripts.trace(script, as: record.instance, with: log)
    return await difference(first, of: script, record.instance, with: log)
  }

  private func difference(
    _ first: ScriptTrace, of script: Script, _ instance: FlowInstance, with log: ScriptLog
  ) async -> JSONValue? {
    let second = await scripts.trace(script, as: instance, with: log)
    guard let difference = first.difference(from: second) else { return nil }
    var json: [String: JSONValue] = ["flow": .string(script.name), "number": .integer(Int64(difference.index + 1))]
    json["one"] = difference.one?.json
    json["other"] = difference.other?.json
    return .object(json)
  }

  // MARK: Replies

  /// The reply that describes a place to a test.
  private func reply(of place: Place) -> [String: JSONValue] {
    var reply: [String: JSONValue] = ["now": place.now.seconds]
    if let outcome = place.outcome {
      reply["end"] = outcome.reply
      return reply
    }
    reply["flows"] = .array(
      place.state.coordinatorsInOrder.map { described($0.flow, $0.log, $0.input, $0.secretNames.sorted()) })
    reply["due"] = place.state.nextDue?.seconds
    if let question = PlayedQuestion(place.state) {
      reply["question"] = [
        "flow": .string(question.coordinator.flow), "key": .string(question.key),
        "name": .string(LogEntry(question.key, .patch).name),
        "screen": .object((try? question.shown.content.json) ?? [:]), "back": .boolean(question.shown.back),
      ]
    }
    return reply
  }

  private func described(_ flow: String, _ log: ScriptLog?, _ input: [String: JSONValue], _ secrets: [String]) -> JSONValue {
    [
      "flow": .string(flow), "log": log?.json ?? ["input": .object(input), "entries": []],
      "secrets": .array(secrets.map { .string($0) }),
    ]
  }
}

extension Timestamp {
  /// The seconds since 1970.
  fileprivate var seconds: JSONValue { JSONValue(Double(microseconds) / 1_000_000) }
}

extension Outcome {
  /// The outcome in the words of a script.
  fileprivate var reply: JSONValue {
    switch self {
    case .finished(let result): ["finish": .object(result)]
    case .cancelled: ["cancel": [:]]
    case .failed(let failure): ["fail": ["code": .string(failure.code), "message": .string(failure.message)]]
    }
  }
}

extension PlayProblem {
  fileprivate var reply: JSONValue {
    switch kind {
    case .script: ["mistake": .string(description)]
    case .refused: ["refused": .string(description)]
    case .noScript(let name): ["unknown": .string(name)]
    case .unended(let work) where work.kind == .computation: ["mistake": .string(description)]
    case .unended(let work): ["mistake": .string(description), "unended": .string(work.name)]
    }
  }
}

extension ScriptTrace.Operation {
  fileprivate var json: JSONValue {
    ["kind": .string(kind), "key": .string(key), "at": .string(place), "content": content]
  }
}

/// A log that was recorded with an earlier version of a script, and kept as a test.
package struct KeptLog: Sendable {
  private let flow: String
  private let log: ScriptLog

  /// Reads a log.
  ///
  /// - Parameters:
  ///   - text: the output of `coordinator-scripts export`.
  ///   - name: the name of the file, for messages.
  ///   - flows: the flows of the script.
  /// - Throws: `ToolFailure` if it is not a log of one of the flows.
  package init(_ text: String, of name: String, among flows: [String]) throws {
    guard let json = JSONValue(json: text) else { throw ToolFailure(["\(name) is not JSON".printable]) }
    let flow = json["flow"]?.string ?? (flows.count == 1 ? flows[0] : "")
    guard flows.contains(flow) else {
      throw ToolFailure(["\(name) is a log of '\(flow)', which is not a flow of this script".printable])
    }
    self.flow = flow
    do {
      log = try ScriptLog(json: json)
    } catch {
      throw ToolFailure(["\(name): \(error)".printable])
    }
  }

  /// Creates a log of a flow.
  init(_ log: ScriptLog, of flow: String) { (self.log, self.flow) = (log, flow) }

  /// Executes the script with the log.
  ///
  /// - Parameter scripts: executes the script.
  /// - Returns: where the script no longer fits; nil if it accepts all recorded entries.
  package func misfit(on scripts: LocalScripts) async -> String? {
    guard let script = scripts.scripts[flow] else { return "there is no script for the flow \(flow)" }
    let (trace, after) = await scripts.traceAndLog(script, as: LocalScripts.instance(of: flow), with: log)
    if let held = trace.operations.last(where: { $0.kind == ScriptTrace.held }) { return "does not fit: \(held.key)" }
    let operations = trace.operations.filter { $0.kind != ScriptTrace.noPatch }
    for (index, entry) in log.entries.enumerated() {
      let found = index < after.entries.count ? after.entries[index] : nil
      let now = index < operations.count ? operations[index] : nil
      if let found, let now, now.key == entry.key, now.kind == entry.body.word, found.isOpen == entry.isOpen { continue }
      let place = entry.place.isEmpty ? "" : " at \(entry.place)"
      return "does not fit: recorded \(index + 1). \(entry.body.word) \"\(entry.key)\"\(place);"
        + " now \(index + 1). \(now?.text(in: script) ?? "nothing")"
    }
    return nil
  }
}

/// A request of a test that steers a play.
struct SteeringRequest: Sendable {
  enum Kind: Sendable {
    /// A flow begins, or continues with a stored log.
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
    /// The operations of a script with a log.
    case trace(flow: String, log: ScriptLog)
  }

  /// Where the next step crashes.
  enum CrashPoint: String, Sendable {
    case beforeStep = "before-step"
    case duringStep = "during-step"
    case afterStep = "after-step"
  }

  /// The maximum number of seconds that pass at once: a hundred years.
  private static let maxSeconds = 3_155_760_000.0

  let kind: Kind
  /// The place to continue from; nil for the last one.
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

/// A line that is not a request.
struct WrongRequest: Error, Sendable, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
