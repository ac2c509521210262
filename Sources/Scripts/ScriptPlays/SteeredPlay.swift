import CoordinatorKit
import CoordinatorScripts
import CoordinatorTestKit
import Forms
import Platform
import ScriptEngine

/// A play in which a test says what happens, line by line: for test frameworks of other languages. The protocol is in
/// Docs/script-protocol.md.
package struct SteeredPlay: Sendable {
  /// Where a play has been: it can go on from there.
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

  /// Does what a line says.
  ///
  /// - Parameter line: a request as JSON.
  /// - Returns: what it has come to, as JSON on one line.
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

  // MARK: What happens

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
    // A person sees what a script does, which is not done again for that.
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
      // A form whose values are wrong is not sent.
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

  /// Executes what was played twice more, and says where the runs differ. What has ended got its whole log by that.
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

  /// What a test is told of a place.
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
  /// The end as a script says it.
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
    }
  }
}

extension ScriptTrace.Operation {
  fileprivate var json: JSONValue {
    ["kind": .string(kind), "key": .string(key), "at": .string(place), "content": content]
  }
}
