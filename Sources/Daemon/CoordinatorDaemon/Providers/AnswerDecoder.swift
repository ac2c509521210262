import CoordinatorBus
import CoordinatorKit
import DBus

/// Decodes the answer of a provider to `Decide`, and checks it like any external input. A single fault invalidates the whole
/// answer.
package struct AnswerDecoder: Sendable {
  /// The problem of an invalid answer.
  package struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
  }

  /// Receives each unknown key of a screen or of a message, which is ignored.
  private let note: @Sendable (UnknownKey) -> Void

  /// Creates a decoder.
  ///
  /// - Parameter note: receives each unknown key of a screen or of a message, which is ignored.
  package init(noting note: @escaping @Sendable (UnknownKey) -> Void = { _ in }) { self.note = note }

  /// The maximum number of bytes of the state of one coordinator.
  package static let maxState = 256 * 1024
  /// The maximum number of bytes of one screen in a message.
  static let maxScreen = 1 << 20
  /// The maximum number of bytes of a key or an id.
  static let maxName = 256
  /// The maximum number of operations of one answer.
  static let maxOperations = 64

  /// Decodes an answer.
  ///
  /// - Parameter answer: the results of the call.
  /// - Returns: the decision.
  /// - Throws: `Fault`.
  package func decision(_ answer: [Value]) throws(Fault) -> FlowDecision {
    guard answer.count == 1, let answer = answer[0].vardict else { throw Fault("is not a dictionary") }
    for key in answer.keys.sorted() where !["state", "do", "screens", "dismissable"].contains(key) {
      throw Fault("has the unknown key \(key)")
    }
    guard let state = answer["state"]?.string else { throw Fault("has no state, which is a string") }
    guard state.utf8.count <= Self.maxState else { throw Fault("has a state of more than \(Self.maxState) bytes") }
    var decision = FlowDecision(state: state)
    if let value = answer["dismissable"] {
      guard let isDismissable = value.bool else { throw Fault("has a dismissable that is not a boolean") }
      decision.canBeCancelled = isDismissable
    }
    if let value = answer["do"] {
      guard let elements = value.elements, elements.count <= Self.maxOperations else {
        throw Fault("has operations that are not an array of at most \(Self.maxOperations)")
      }
      for element in elements {
        guard let values = element.unwrapped.vardict else { throw Fault("has an operation that is not a dictionary") }
        decision.operations.append(try OperationReader.operation(values, noting: note))
      }
    }
    if let value = answer["screens"] {
      guard let screens = value.vardict else { throw Fault("has screens that are not a dictionary") }
      for (key, value) in screens.sorted(by: { $0.key < $1.key }) {
        decision.screens[key] = try screen(value, key)
      }
    }
    return decision
  }

  private func screen(_ value: Value, _ key: String) throws(Fault) -> DescribedScreen {
    guard key.utf8.count <= Self.maxName else { throw Fault("has a screen with a key of more than \(Self.maxName) bytes") }
    guard var values = value.vardict else { throw Fault("has the screen \(key), which is not a dictionary") }
    guard value.wireSize <= Self.maxScreen else { throw Fault("has the screen \(key), which is too large") }
    let back = values.removeValue(forKey: "back")
    guard back == nil || back?.bool != nil else { throw Fault("has the screen \(key) with a back that is not a boolean") }
    // A client may receive kinds from a newer daemon, but a provider may only send known kinds.
    let kind = values[ScreenKey.kind.rawValue]?.string ?? ""
    guard Screen.Kind(rawValue: kind) != nil else { throw Fault("has the screen \(key) of the unknown kind \(kind)") }
    let content: Screen
    do throws(MalformedScreen) {
      content = try Screen(describedAs: values, noting: note)
      try content.validate()
    } catch {
      throw Fault("has the screen \(key), whose \(error.fault)")
    }
    let secrets = content.form?.schema.secretFields ?? []
    guard !content.values.keys.contains(where: secrets.contains) else {
      throw Fault("has the screen \(key) with a value of a secret field")
    }
    return DescribedScreen(content, back: back?.bool ?? true)
  }

  /// Reads parts of screens by key.
  ///
  /// - Parameters:
  ///   - value: the parts.
  ///   - note: receives each unknown key, which is ignored.
  /// - Returns: the parts.
  /// - Throws: `Fault`.
  static func live(_ value: Value, noting note: (UnknownKey) -> Void) throws(Fault) -> [String: [String: Value]] {
    guard let screens = value.vardict else { throw Fault("is not a dictionary") }
    guard value.wireSize <= maxScreen else { throw Fault("is too large") }
    var live: [String: [String: Value]] = [:]
    for (key, parts) in screens {
      guard let parts = parts.vardict else { throw Fault("has parts that are not a dictionary") }
      live[key] = parts
    }
    for key in Set(live.values.flatMap(\.keys)).subtracting(Screen.describedKeys + [Screen.busyKey]).sorted() {
      note(UnknownKey(key, in: nil, among: Screen.describedKeys))
    }
    return live
  }
}

extension AnswerDecoder.Fault {
  init(_ description: String) { self.description = description }
}

/// Reads one operation of a provider's answer. An unread key is a fault, so that misspelled keys are detected.
struct OperationReader {
  typealias Fault = AnswerDecoder.Fault

  /// The values that have not been read yet.
  private var values: [String: Value]
  private let name: String
  private let note: (UnknownKey) -> Void

  private init(_ values: [String: Value], noting note: @escaping (UnknownKey) -> Void) throws(Fault) {
    self.note = note
    self.values = values
    guard let name = self.values.removeValue(forKey: "op")?.string else { throw Fault("has an operation without op") }
    self.name = name
  }

  /// Returns the operation that a dictionary describes.
  static func operation(
    _ values: [String: Value], noting note: @escaping (UnknownKey) -> Void
  ) throws(Fault) -> FlowDecision.Operation {
    var reader = try OperationReader(values, noting: note)
    let operation = try reader.operation()
    if let key = reader.values.keys.min() { throw reader.fault("does not take \(key)") }
    return operation
  }

  private mutating func operation() throws(Fault) -> FlowDecision.Operation {
    switch name {
    case "present":
      return .present(key: try required("key", \.string), as: try presentingRouter(), animated: try isAnimated())
    case "replace": return .replace(with: try required("with", \.string), animated: try isAnimated())
    case "dismiss":
      if let key = try optional("above", \.string) { return .dismissAbove(key: key, animated: try isAnimated()) }
      return .dismiss(key: try required("key", \.string), animated: try isAnimated())
    case "start-child":
      let router = try optional("router", \.string) ?? RouterKind.navigation.rawValue
      guard let kind = RouterKind(rawValue: router) else { throw fault("has the unknown router \(router)") }
      return .startChild(
        flow: try required("flow", \.string), input: try object("input"), secrets: try secrets("secrets"), kind)
    case "dismiss-child": return .cancelChild(try child("path"))
    case "work":
      let work = ProvidedWork(id: try required("id", \.string), argument: try optional("argument", \.string) ?? "")
      guard work.id.utf8.count <= AnswerDecoder.maxName, work.argument.utf8.count <= AnswerDecoder.maxState else {
        throw fault("has an id or an argument that is too long")
      }
      // Secrets in a dictionary stay with the coordinator; secrets in a list are removed from it.
      let isTaking = values["secrets"]?.elements != nil
      return .startWork(work, secrets: try secrets("secrets"), taking: isTaking)
    case "cancel-work": return .cancelWork(try optional("id", \.string))
    case "timer":
      return .startTimer(
        key: try required("key", \.string), at: Timestamp(microseconds: try required("at", \.uint64)),
        after: try optional("after", \.uint64))
    case "cancel-timer": return .cancelTimer(key: try required("key", \.string))
    case "attach":
      let message = try required("message", \.vardict)
      guard let message = try? ScreenMessage(described: message, noting: note) else {
        throw fault("has a message that cannot be read")
      }
      return .attach(message)
    case "output": return .emit(try json("value"), secrets: try secrets("secrets"))
    case "send": return .send(try json("message"), child: try child("child"), secrets: try secrets("secrets"))
    case "keep-secret": return .keepSecrets(try secrets("names"))
    case "drop-secret": return .forgetSecrets(try strings("names"))
    case "finish": return .finish(try object("result"), secrets: try secrets("secrets"))
    case "cancel": return .cancel
    case "fail": return .fail(Failure(code: try required("code", \.string), message: try required("message", \.string)))
    case "language": return .setLanguage(try required("language", \.string))
    case "as-child": return .endAsChild(try child("path"))
    default: throw Fault("has the unknown operation \(name)")
    }
  }

  private func fault(_ what: String) -> Fault { Fault("has the operation \(name), which \(what)") }

  private mutating func required<T>(_ key: String, _ read: (Value) -> T?) throws(Fault) -> T {
    guard let value = try optional(key, read) else { throw fault("lacks \(key)") }
    return value
  }

  private mutating func optional<T>(_ key: String, _ read: (Value) -> T?) throws(Fault) -> T? {
    guard let value = values.removeValue(forKey: key)?.unwrapped else { return nil }
    guard let value = read(value) else { throw fault("has \(key) of the wrong type") }
    return value
  }

  private mutating func strings(_ key: String) throws(Fault) -> [String] {
    try optional(key) { value in
      guard let elements = value.elements else { return nil }
      let strings = elements.compactMap(\.unwrapped.string)
      return strings.count == elements.count ? strings : nil
    } ?? []
  }

  /// Reads secrets: a list of names, or a dictionary from new names to present ones.
  private mutating func secrets(_ key: String) throws(Fault) -> FlowDecision.SecretNames {
    guard values[key]?.elements == nil else {
      return Dictionary(try strings(key).map { ($0, $0) }, uniquingKeysWith: { one, _ in one })
    }
    return try optional(key) { value in
      guard let names = value.vardict else { return nil }
      let secrets = names.compactMapValues(\.string)
      return secrets.count == names.count ? secrets : nil
    } ?? [:]
  }

  private mutating func isAnimated() throws(Fault) -> Bool { try optional("animated", \.bool) ?? true }

  /// Reads the router that presents a screen; nil for the coordinator's own router.
  private mutating func presentingRouter() throws(Fault) -> RouterKind? {
    guard let style = try optional("style", \.string), style != "push" else { return nil }
    guard let kind = RouterKind(rawValue: style) else {
      throw fault("has the style \(style), which is not push, navigation, modal or window")
    }
    return kind
  }

  private mutating func json(_ key: String) throws(Fault) -> JSONValue {
    try optional(key) { try? JSONValue(value: $0) } ?? .object([:])
  }

  private mutating func object(_ key: String) throws(Fault) -> [String: JSONValue] {
    try optional(key) { try? JSONValue.object(from: $0) } ?? [:]
  }

  /// Reads the path of a child as a coordinator path.
  private mutating func child(_ key: String) throws(Fault) -> String {
    let path = try required(key) { $0.objectPath ?? $0.string.flatMap { try? ObjectPath($0) } }
    guard let path = CoordinatorPath(objectPath: path) else { throw fault("has the path \(path), which is no coordinator's") }
    return path.text
  }
}

extension FlowAnswer {
  /// Reads an error that is the flow's answer; nil if it is the provider's trouble.
  package init?(_ error: DBusError) {
    switch ContractError(error) {
    case .denied(let message): self = .refused(.denied(message))
    case .invalidPayload(_, let reasons): self = .refused(.invalidPayload(reasons))
    case .invalidInput(_, let reasons): self = .refused(.invalidInput(reasons))
    case .notDismissable(let message): self = .refused(.notDismissable(message))
    case .unknownFlow: self = .refused(.unknownFlow(error.extra.first?.string ?? ""))
    case .unknownEvent: self = .notTaken
    default:
      switch error.name {
      case Contract.errorPrefix + "LimitsExceeded": self = .refused(.limitExceeded(error.message))
      case Contract.errorPrefix + "Failed":
        let code = error.extra.first?.string ?? "failed"
        let isTechnical = error.extra.dropFirst().first?.bool ?? false
        self = .failed(isTechnical ? Failure(code: code, technical: error.message) : Failure(code: code, message: error.message))
      default: return nil
      }
    }
  }
}
