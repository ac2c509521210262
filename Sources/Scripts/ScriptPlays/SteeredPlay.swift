import CoordinatorKit
import CoordinatorScripts
import Forms
import Platform
import ScriptEngine

/// A play in which a test says what happens, line by line: for test frameworks of other languages. The protocol is in
/// Docs/script-protocol.md.
package struct SteeredPlay: Sendable {
  /// Where a play has been: it can go on from there.
  private struct Place: Sendable {
    var tree: PlayedTree
    /// The logs of the coordinators that have ended.
    var ended: [JSONValue] = []
  }

  private let stage: ScriptStage
  private let policy: StepPolicy
  private var places: [Place] = []

  /// Creates a play.
  ///
  /// - Parameters:
  ///   - stage: executes the scripts.
  ///   - policy: says what is done about their steps.
  package init(on stage: ScriptStage, _ policy: StepPolicy) { (self.stage, self.policy) = (stage, policy) }

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
      guard let misfit = try await KeptLog(log, of: flow).misfit(on: stage) else { return ["fits": true] }
      return ["fits": false, "misfit": .string(misfit)]
    case .trace(let flow, let log):
      let coordinator = try stage.coordinator(flow, input: log.input)
      return ["trace": .array(await stage.trace(coordinator, with: log).operations.map(\.json))]
    case .start, .event, .back, .restart, .advance: return try await happened(request)
    }
  }

  // MARK: What happens

  private mutating func happened(_ request: SteeringRequest) async throws -> JSONValue {
    var runner = SteeredRunner(stage, policy, crash: request.crash)
    var place: Place
    if case .start(let flow, let input, let log) = request.kind {
      places = []
      place = Place(tree: try await runner.start(flow, input: input, log: log))
    } else {
      let number = request.place ?? places.count - 1
      guard places.indices.contains(number) else { throw WrongRequest("nothing was started") }
      place = places[number]
      guard place.tree.outcome == nil else { throw PlayProblem.refused("the flow has ended") }
      place.tree = try await runner.take(request.kind, in: place.tree)
    }
    place.tree.now = stage.time(in: place.tree)
    // A person sees what a script does, which is not done again for that.
    let difference = stage.isReal ? nil : await repeated(&place)
    places.append(place)
    var reply = place.tree.reply
    reply["place"] = .integer(Int64(places.count - 1))
    reply["ended"] = .array(place.ended)
    reply["differs"] = difference
    return .object(reply)
  }

  /// Executes what was played twice more, and says where the runs differ. What has ended got its whole log by that.
  private func repeated(_ place: inout Place) async -> JSONValue? {
    for ending in place.tree.endings.dropFirst(place.ended.count) {
      guard let log = ending.log else {
        place.ended.append(ending.flow.reply)
        continue
      }
      let (first, whole) = await stage.traceAndLog(ending.flow, with: log)
      place.ended.append(["flow": .string(ending.flow.script.name), "log": whole.json])
      if let difference = await difference(first, of: ending.flow, with: log) { return difference }
    }
    guard place.tree.outcome == nil, let flow = place.tree.flows.last, let log = flow.log else { return nil }
    return await difference(await stage.trace(flow, with: log), of: flow, with: log)
  }

  private func difference(_ first: ScriptTrace, of flow: PlayedFlow, with log: ScriptLog) async -> JSONValue? {
    guard let difference = first.difference(from: await stage.trace(flow, with: log)) else { return nil }
    var json: [String: JSONValue] = [
      "flow": .string(flow.script.name), "number": .integer(Int64(difference.index + 1)),
    ]
    json["one"] = difference.one?.json
    json["other"] = difference.other?.json
    return .object(json)
  }
}

extension PlayedTree {
  /// What a test is told of it.
  fileprivate var reply: [String: JSONValue] {
    var reply: [String: JSONValue] = ["now": JSONValue(Double(now) / 1_000_000)]
    if let outcome {
      reply["end"] = outcome.reply
      return reply
    }
    reply["flows"] = .array(flows.map(\.reply))
    reply["due"] = nextTimer.map { JSONValue(Double($0.due) / 1_000_000) }
    if let (flow, _, key, screen) = question {
      reply["question"] = [
        "flow": .string(flows[flow].script.name), "key": .string(key), "name": .string(LogEntry(key, .patch).name),
        "screen": .object((try? screen.content.json) ?? [:]), "back": .boolean(screen.back),
      ]
    }
    return reply
  }
}

extension PlayedFlow {
  /// What a test is told of it.
  fileprivate var reply: JSONValue {
    [
      "flow": .string(script.name), "log": log?.json ?? ["input": .object(input), "entries": []],
      "secrets": .array(secrets.keys.sorted().map { .string($0) }),
    ]
  }
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
    switch self {
    case .script(let text): ["mistake": .string(text)]
    case .refused(let text): ["refused": .string(text)]
    case .noScript(let name): ["unknown": .string(name)]
    }
  }
}

extension ScriptTrace.Operation {
  fileprivate var json: JSONValue {
    ["kind": .string(kind), "key": .string(key), "at": .string(place), "content": content]
  }
}
