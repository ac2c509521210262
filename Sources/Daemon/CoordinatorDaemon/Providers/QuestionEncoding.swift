import CoordinatorBus
import CoordinatorKit
import DBus
import Languages
import ProviderFiles

/// Encodes a question to a provider as the arguments of `Decide`.
extension FlowQuestion {
  /// Returns the arguments.
  ///
  /// - Parameter deadline: the maximum time for the provider's answer.
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
  /// Empty values are omitted, because each value of a dictionary takes time in both processes and on the bus.
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
  /// Returns the dictionary with the names of secrets, if there are any.
  fileprivate func with(_ secrets: [String]) -> [String: Value] {
    secrets.isEmpty ? self : merging(["secrets": .strings(secrets)]) { $1 }
  }
}

extension Duration {
  fileprivate var microseconds: Int64 { components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000 }
}

extension RegisteredFlow {
  /// Reads a flow from the argument of `RegisterFlows`.
  ///
  /// - Throws: `InvalidArgs` for an unknown key, a value of the wrong type, and a schema that is not supported.
  package init(_ value: Value) throws(DBusError) {
    var values = try NamedArguments(value, of: "a flow")
    guard let name = try values.string("name"), !name.isEmpty, name.utf8.count <= 128 else {
      throw .invalidArgs("a flow needs a name of 1 to 128 bytes")
    }
    values.subject = "the flow \(name)"
    let title = try values.string("title")
    let summary = try values.string("summary") ?? ""
    guard let title, title.utf8.count <= Self.maxText, summary.utf8.count <= Self.maxText else {
      throw .invalidArgs("the flow \(name) needs a title, which, like its summary, has at most \(Self.maxText) bytes")
    }
    guard let router = RouterKind(rawValue: try values.string("router") ?? "navigation") else {
      throw .invalidArgs("the router of the flow \(name) must be navigation, modal or window")
    }
    let input = try Self.schema("input", &values, name) ?? .object()
    let form: Form
    do { form = try Form(schema: input, order: input.fields.map(\.name)) } catch {
      throw .invalidArgs("the input of the flow \(name) is invalid: \(error)")
    }
    guard input.secretFields.isEmpty else {
      throw .invalidArgs(
        "the input of the flow \(name) has a secret field: ask for secrets on a screen, because inputs are stored")
    }
    var description = FlowDescription(
      name, title: Text(verbatim: title), summary: Text(verbatim: summary), input: form, router: router,
      isRehearsable: try values.boolean("rehearsable") ?? false, canBeLeft: try values.boolean("leavable") ?? true,
      isInternal: try values.boolean("internal") ?? false, isSingleton: try values.boolean("singleton") ?? false,
      isPart: try values.boolean("part") ?? false)
    description.titles = try Self.translations("titles", &values)
    description.summaries = try Self.translations("summaries", &values)
    let schemas = FlowSchemas(
      result: try Self.schema("result", &values, name), output: try Self.schema("output", &values, name))
    let wantsLooking = try values.boolean("looking") ?? false
    let version =
      try values.take("version", "a number from 0 to 4294967295") { $0.uint64.flatMap { UInt32(exactly: $0) } } ?? 1
    let microseconds = min(try values.unsigned("deadline") ?? 5_000_000, 20_000_000)
    try values.finish()
    self.init(
      description: description, schemas: schemas, version: version, wantsLooking: wantsLooking,
      deadline: .microseconds(max(1, Int64(microseconds))), size: max(value.wireSize, description.listedSize(schemas)))
  }

  private static var maxText: Int { 4096 }
  private static var maxTranslations: Int { 200 }

  /// Reads a text in other languages, by language.
  private static func translations(_ key: String, _ values: inout NamedArguments) throws(DBusError) -> [LanguageTag: String] {
    let what = "at most \(maxTranslations) texts of at most \(maxText) bytes by the names of languages, such as de or pt-BR"
    return try values.take(key, what) { value -> [LanguageTag: String]? in
      guard let texts = value.vardict, texts.count <= maxTranslations else { return nil }
      var result: [LanguageTag: String] = [:]
      for (name, value) in texts {
        guard let tag = try? LanguageTag(name), let text = value.unwrapped.string, text.utf8.count <= maxText else { return nil }
        result[tag] = text
      }
      return result
    } ?? [:]
  }

  private static func schema(
    _ key: String, _ values: inout NamedArguments, _ name: String
  ) throws(DBusError) -> Schema? {
    guard let value = try values.take(key, "a schema", { $0 }) else { return nil }
    do { return try Schema(json: JSONValue(value: value)) } catch {
      throw .invalidArgs("the \(key) of the flow \(name) is not a schema: \(error)")
    }
  }
}
