import CoordinatorBus
import CoordinatorKit
import DBus

/// Encodes what a provider is asked as the arguments of `Decide`.
extension FlowQuestion {
  /// The arguments.
  ///
  /// - Parameter deadline: how long the provider may take.
  /// - Returns: the arguments, in the order of the contract.
  /// - Throws: `JSONConversionError` if a value cannot be sent.
  package func arguments(deadline: Duration) throws -> [Value] {
    [
      .string(instance.flow), .string(instance.name), .uint64(turn), .string(state),
      .vardict(try event.vardict),
      .vardict(try context.vardict(deadline: deadline)),
    ]
  }
}

extension FlowQuestion.Event {
  fileprivate var vardict: [String: Value] {
    get throws {
      switch self {
      case .start: kind("start")
      case .event(let name, let key, let payload, let secrets):
        kind("event", ["key": .string(key)].merging(try Self.event(name, payload, secrets)) { $1 })
      case .fromChild(let child, let name, let payload, let secrets):
        kind("from-child", ["child": try child.value].merging(try Self.event(name, payload, secrets)) { $1 })
      case .script(let name, let payload, let secrets): kind("script", try Self.event(name, payload, secrets))
      case .back(let key): kind("back", ["key": .string(key)])
      case .childEnded(let child, let outcome, let secrets):
        kind(
          "child-ended",
          ["child": try child.value, "outcome": .string(outcome.name), "result": outcome.resultValue].with(secrets))
      case .output(let child, let value, let secrets):
        kind("output", ["child": try child.value, "payload": try Value(json: value)].with(secrets))
      case .message(let value, let secrets): kind("message", ["payload": try Value(json: value)].with(secrets))
      case .workEnded(let id, .done(let value)): kind("work-ended", ["work": .string(id), "value": .string(value)])
      case .workEnded(let id, .failed(let trouble)):
        kind(
          "work-ended",
          [
            "work": .string(id),
            "error": .vardict(["type": .string(trouble.type), "message": .string(trouble.message)]),
          ])
      case .workInterrupted(let id): kind("work-interrupted", ["work": .string(id)])
      case .secretsGone(let names): kind("secrets-gone", ["secrets": .strings(names)])
      case .timer(let key): kind("timer", ["timer": .string(key)])
      case .language: kind("language")
      case .looking(let isLooking): kind("looking", ["looking": .boolean(isLooking)])
      case .migrate(let version): kind("migrate", ["from": .uint32(version)])
      }
    }
  }

  private func kind(_ name: String, _ rest: [String: Value] = [:]) -> [String: Value] {
    rest.merging(["kind": .string(name)]) { $1 }
  }

  private static func event(_ name: String, _ payload: [String: JSONValue], _ secrets: [String]) throws -> [String: Value] {
    var values: [String: Value] = ["name": .string(name)]
    if !payload.isEmpty { values["payload"] = try Value.object(payload) }
    if !secrets.isEmpty { values["secrets"] = .strings(secrets) }
    return values
  }
}

extension FlowQuestion.Context {
  /// What is empty is left out: each value of a dictionary costs both processes, and the bus between them.
  fileprivate func vardict(deadline: Duration) throws -> [String: Value] {
    var values: [String: Value] = [
      "router": .string(router.rawValue), "deadline": .uint64(UInt64(max(0, deadline.microseconds))), "now": .uint64(now),
      "last-screen": .uint64(lastScreen),
    ]
    if !input.isEmpty { values["input"] = try Value.object(input) }
    if !screens.isEmpty { values["screens"] = .strings(screens) }
    if !children.isEmpty {
      values["children"] = .vardicts(try children.map { try $0.vardict(lowest: childScreens[$0.path]) })
    }
    if !work.isEmpty { values["work"] = .strings(work) }
    if !secrets.isEmpty { values["secrets"] = .strings(secrets) }
    if !same.isEmpty {
      values["same"] = .dictionary(
        key: .string, value: .string,
        same.sorted { $0.key < $1.key }.map { DictionaryEntry(key: .string($0.key), value: .string($0.value)) })
    }
    if isRetried { values["retried"] = .boolean(true) }
    values["language"] = language.map { .string($0) }
    if let user = caller?.user { values["caller"] = .vardict(["user": .uint32(user)]) }
    return values
  }
}

extension Child {
  fileprivate var value: Value { get throws { .vardict(try vardict(lowest: nil)) } }

  fileprivate func vardict(lowest screen: ScreenID?) throws -> [String: Value] {
    var values: [String: Value] = ["path": .objectPath(path.objectPath), "flow": .string(flow)]
    if !input.isEmpty { values["input"] = try Value.object(input) }
    if let screen { values["screen"] = .uint64(screen.number) }
    return values
  }
}

extension [String: Value] {
  /// The same with the names of secrets, if there are any.
  fileprivate func with(_ secrets: [String]) -> [String: Value] {
    secrets.isEmpty ? self : merging(["secrets": .strings(secrets)]) { $1 }
  }
}

extension Duration {
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}
