import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

extension FlowAnswer {
  /// The answer to `Decide`: its results, or its error.
  var reply: Result<[Value], DBusError> {
    switch self {
    case .decided(let decision):
      do {
        return .success([.vardict(try decision.vardict)])
      } catch {
        return .failure(.providerTrouble("the answer cannot be sent: \(error)"))
      }
    case .refused(let refusal): return .failure(refusal.answer)
    case .notTaken: return .failure(ContractError.unknownEvent(message: "the event is left to the parent").dbusError)
    case .failed(let failure):
      return .failure(
        DBusError(
          name: Contract.errorPrefix + "Failed", message: failure.message,
          extra: [.string(failure.code)] + (failure.isTechnical ? [.boolean(true)] : [])))
    case .trouble(let trouble): return .failure(.providerTrouble(trouble.description))
    }
  }
}

extension DBusError {
  fileprivate static func providerTrouble(_ message: String) -> DBusError {
    ContractError.providerFailed(message: message).dbusError
  }
}

extension Refusal {
  /// The error in the form in which the daemon receives it. It names the unknown flow; the daemon describes the error to its
  /// clients in its own words.
  fileprivate var answer: DBusError {
    var error = dbusError
    switch self {
    case .limitExceeded: error.name = Contract.errorPrefix + "LimitsExceeded"
    case .unknownFlow(let name): error.extra = [.string(name)]
    default: break
    }
    return error
  }
}

extension FlowDecision {
  fileprivate var vardict: [String: Value] {
    get throws {
      var values: [String: Value] = ["state": .string(state)]
      if !operations.isEmpty { values["do"] = .vardicts(try operations.map { try $0.vardict }) }
      if !screens.isEmpty { values["screens"] = .vardict(try screens.mapValues { .vardict(try $0.vardict) }) }
      values["dismissable"] = canBeCancelled.map { .boolean($0) }
      return values
    }
  }
}

extension DescribedScreen {
  fileprivate var vardict: [String: Value] {
    get throws {
      var values = try content.description()
      if !back { values["back"] = .boolean(false) }
      return values
    }
  }
}

extension FlowDecision.Operation {
  fileprivate var vardict: [String: Value] {
    get throws {
      switch self {
      case .present(let key, let kind, let animated):
        var rest: [String: Value] = ["key": .string(key)]
        rest["style"] = kind.map { .string($0.rawValue) }
        return Self.op("present", rest, animated)
      case .replace(let key, let animated): return Self.op("replace", ["with": .string(key)], animated)
      case .dismiss(let key, let animated): return Self.op("dismiss", ["key": .string(key)], animated)
      case .dismissAbove(let key, let animated): return Self.op("dismiss", ["above": .string(key)], animated)
      case .startChild(let flow, let input, let secrets, let kind):
        return Self.op(
          "start-child",
          ["flow": .string(flow), "input": try .object(input), "router": .string(kind.rawValue)].with(secrets, "secrets"))
      case .cancelChild(let path): return Self.op("dismiss-child", ["path": Self.path(path)])
      case .startWork(let work, let secrets, _):
        return Self.op(
          "work", ["id": .string(work.id), "argument": .string(work.argument)].with(secrets, "secrets"))
      case .cancelWork(let id): return Self.op("cancel-work", id.map { ["id": .string($0)] } ?? [:])
      case .startTimer(let key, let time, let duration):
        var rest: [String: Value] = ["key": .string(key), "at": .uint64(time.microseconds)]
        rest["after"] = duration.map { .uint64($0) }
        return Self.op("timer", rest)
      case .cancelTimer(let key): return Self.op("cancel-timer", ["key": .string(key)])
      case .attach(let message): return Self.op("attach", ["message": .vardict(message.vardict)])
      case .emit(let value, let secrets): return Self.op("output", ["value": try Value(json: value)].with(secrets, "secrets"))
      case .send(let value, let child, let secrets):
        return Self.op("send", ["child": Self.path(child), "message": try Value(json: value)].with(secrets, "secrets"))
      case .keepSecrets(let secrets): return Self.op("keep-secret", [:].with(secrets, "names"))
      case .forgetSecrets(let names): return Self.op("drop-secret", ["names": .strings(names)])
      case .finish(let result, let secrets): return Self.op("finish", ["result": try .object(result)].with(secrets, "secrets"))
      case .cancel: return Self.op("cancel")
      case .fail(let failure):
        return Self.op("fail", ["code": .string(failure.code), "message": .string(failure.message)])
      case .endAsChild(let path): return Self.op("as-child", ["path": Self.path(path)])
      case .setLanguage(let name): return Self.op("language", ["language": .string(name)])
      }
    }
  }

  private static func op(_ name: String, _ rest: [String: Value] = [:], _ animated: Bool = true) -> [String: Value] {
    var values = rest
    values["op"] = .string(name)
    if !animated { values["animated"] = .boolean(false) }
    return values
  }

  private static func path(_ text: String) -> Value { .objectPath(CoordinatorPath(text: text).objectPath) }
}

extension [String: Value] {
  /// Returns the dictionary with secrets by their new names, if there are any.
  fileprivate func with(_ secrets: FlowDecision.SecretNames, _ key: String) -> [String: Value] {
    guard !secrets.isEmpty else { return self }
    var values = self
    values[key] = .dictionary(
      key: .string, value: .string,
      secrets.sorted { $0.key < $1.key }.map { DictionaryEntry(key: .string($0.key), value: .string($0.value)) })
    return values
  }
}

extension FlowCatalogue {
  /// The flows in the form of the argument of `RegisterFlows`.
  ///
  /// - Throws: `JSONConversionError` if the schema of an input, a result or an output cannot be sent.
  var registration: [[String: Value]] {
    get throws {
      try descriptions.map { flow in
        var values: [String: Value] = [
          "name": .string(flow.name), "title": .string(flow.title), "version": .uint32(UInt32(clamping: flow.version)),
          "router": .string(flow.router.rawValue),
        ]
        if !flow.summary.isEmpty { values["summary"] = .string(flow.summary) }
        values["titles"] = Value(translations: flow.titles(in: translations.languages))
        values["summaries"] = Value(translations: flow.summaries(in: translations.languages))
        if !flow.input.fields.isEmpty { values["input"] = try Value(json: flow.input.schema.json) }
        if flow.isRehearsable { values["rehearsable"] = .boolean(true) }
        if showsLiveValues(flow.name) { values["looking"] = .boolean(true) }
        if flow.isInternal { values["internal"] = .boolean(true) }
        if flow.isSingleton { values["singleton"] = .boolean(true) }
        if flow.isPart { values["part"] = .boolean(true) }
        if !flow.canBeLeft { values["leavable"] = .boolean(false) }
        let schemas = schemas(of: flow.name)
        values["result"] = try schemas?.result.map { try Value(json: $0.json) }
        values["output"] = try schemas?.output.map { try Value(json: $0.json) }
        return values
      }
    }
  }
}

/// Why the arguments of a call cannot be read.
struct UnreadableQuestion: Error, Sendable, Hashable {
  let description: String

  var dbusError: DBusError { .invalidArgs(description) }
}

extension FlowQuestion {
  /// Reads a question from the arguments of `Decide`.
  ///
  /// - Parameter arguments: the arguments, in the order of the contract.
  /// - Throws: ``UnreadableQuestion``, or `JSONConversionError`.
  init(_ arguments: [Value]) throws {
    guard arguments.count == 6, let flow = arguments[0].string, let name = arguments[1].string,
      let turn = arguments[2].uint64, let state = arguments[3].string, let event = arguments[4].vardict,
      let context = arguments[5].vardict
    else { throw UnreadableQuestion(description: "Decide needs a flow, an instance, a turn, a state, an event and a context") }
    guard let instance = FlowInstance(name, of: flow) else {
      throw UnreadableQuestion(description: "the instance \(name) has no path and time")
    }
    self.init(
      try FlowQuestion.Event(event), of: instance, turn: turn, state: state, in: try FlowQuestion.Context(context))
  }
}

extension FlowInstance {
  /// Reads an instance from its name, such as `flow_1/child_2@1700000000000000`.
  init?(_ name: String, of flow: String) {
    guard let at = name.utf8.lastIndex(of: UInt8(ascii: "@")),
      let startedAt = UInt64(name[name.utf8.index(after: at)...])
    else { return nil }
    self.init(CoordinatorPath(text: String(name[..<at])), of: flow, startedAt: startedAt)
  }
}

extension FlowQuestion.Event {
  fileprivate init(_ values: [String: Value]) throws {
    let reader = EventReader(values: values)
    switch try reader.string("kind") {
    case "start": self = .start
    case "event":
      self = .event(
        name: try reader.string("name"), key: try reader.string("key"), payload: try reader.object("payload"),
        secrets: reader.strings("secrets"))
    case "from-child":
      self = .fromChild(
        try reader.child(), name: try reader.string("name"), payload: try reader.object("payload"),
        secrets: reader.strings("secrets"))
    case "script":
      self = .script(
        name: try reader.string("name"), payload: try reader.object("payload"), secrets: reader.strings("secrets"))
    case "back": self = .back(key: try reader.string("key"))
    case "child-ended": self = .childEnded(try reader.child(), try reader.outcome(), secrets: reader.strings("secrets"))
    case "output": self = .output(try reader.child(), try reader.json("payload"), secrets: reader.strings("secrets"))
    case "message": self = .message(try reader.json("payload"), secrets: reader.strings("secrets"))
    case "work-ended": self = .workEnded(id: try reader.string("work"), try reader.end())
    case "work-interrupted": self = .workInterrupted(id: try reader.string("work"))
    case "secrets-gone": self = .secretsGone(reader.strings("secrets"))
    case "timer": self = .timer(key: try reader.string("timer"))
    case "language": self = .language
    case "looking": self = .looking(reader.values["looking"]?.bool ?? true)
    case "migrate": self = .migrate(from: UInt32(clamping: reader.values["from"]?.uint64 ?? 1))
    case let kind: throw UnreadableQuestion(description: "the kind of event '\(kind)' is not known")
    }
  }
}

extension FlowQuestion.Context {
  fileprivate init(_ values: [String: Value]) throws {
    let reader = EventReader(values: values)
    let children = (values["children"]?.elements ?? []).map { EventReader(values: $0.vardict ?? [:]) }
    self.init(input: try reader.object("input"), now: values["now"]?.uint64 ?? 0)
    self.children = try children.map { try $0.ownChild() }
    screens = reader.strings("screens")
    work = reader.strings("work")
    secrets = reader.strings("secrets")
    router = values["router"]?.string.flatMap(RouterKind.init(rawValue:)) ?? .navigation
    caller = values["caller"]?.vardict.map { Caller(user: $0["user"]?.uint64.flatMap(UInt32.init(exactly:)), name: "") }
    // It reaches the environment of programs, which take what names no language for a path or a command.
    language = values["language"]?.string.flatMap { try? LanguageTag($0) }?.description
    lastScreen = values["last-screen"]?.uint64 ?? 0
    for child in children {
      if let screen = child.values["screen"]?.uint64 { childScreens[try child.ownChild().path] = ScreenID(screen) }
    }
    isRetried = values["retried"]?.bool ?? false
    same = values["same"]?.vardict?.compactMapValues(\.string) ?? [:]
  }
}

/// Reads the parts of an event.
private struct EventReader {
  let values: [String: Value]

  func string(_ key: String) throws -> String {
    guard let text = values[key]?.string else { throw UnreadableQuestion(description: "an event lacks \(key)") }
    return text
  }

  func strings(_ key: String) -> [String] { values[key]?.elements?.compactMap(\.string) ?? [] }

  func object(_ key: String) throws -> [String: JSONValue] {
    guard let value = values[key] else { return [:] }
    return try JSONValue.object(from: value, depthLimit: Contract.maximumDepth + 1)
  }

  func json(_ key: String) throws -> JSONValue { try values[key].map { try JSONValue(value: $0) } ?? .object([:]) }

  func child() throws -> Child {
    guard let child = values["child"]?.vardict else { throw UnreadableQuestion(description: "an event lacks its child") }
    return try EventReader(values: child).ownChild()
  }

  /// Reads these values as a child.
  func ownChild() throws -> Child {
    guard let path = values["path"]?.objectPath.flatMap(CoordinatorPath.init(objectPath:)), let flow = values["flow"]?.string
    else { throw UnreadableQuestion(description: "a child lacks its path or its flow") }
    return Child(path, flow: flow, input: try object("input"))
  }

  func outcome() throws -> Outcome {
    switch try string("outcome") {
    case "finished": return .finished(try object("result"))
    case "cancelled": return .cancelled
    default:
      let failure = try object("result")
      return .failed(Failure(code: failure["code"]?.string ?? "", message: failure["message"]?.string ?? ""))
    }
  }

  func end() throws -> ProvidedWork.End {
    if let value = values["value"]?.string { return .done(value) }
    let error = values["error"]?.vardict ?? [:]
    return .failed(ProvidedWork.Trouble(type: error["type"]?.string ?? "", message: error["message"]?.string ?? ""))
  }
}
