import CoordinatorBus
import CoordinatorKit
import DBus

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
  /// The error as the daemon receives it. It names the unknown flow, which the daemon tells its clients of in its own words.
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
  /// The same with secrets by the name that they get, if there are any.
  fileprivate func with(_ secrets: FlowDecision.SecretNames, _ key: String) -> [String: Value] {
    guard !secrets.isEmpty else { return self }
    var values = self
    values[key] = .dictionary(
      key: .string, value: .string,
      secrets.sorted { $0.key < $1.key }.map { DictionaryEntry(key: .string($0.key), value: .string($0.value)) })
    return values
  }
}
