import CoordinatorBus
import CoordinatorKit
import DBus

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
    language = values["language"]?.string
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
