import CoordinatorBus
import CoordinatorKit
import DBus

/// Reads one operation of a provider's answer.
struct OperationReader {
  typealias Fault = AnswerDecoder.Fault

  private let values: [String: Value]
  private let name: String

  init(_ values: [String: Value]) throws(Fault) {
    guard let name = values["op"]?.string else { throw Fault("has an operation without op") }
    (self.values, self.name) = (values, name)
  }

  /// Returns the operation.
  func operation() throws(Fault) -> FlowDecision.Operation {
    switch name {
    case "present":
      let style = try optional("style", \.string) ?? "push"
      guard ["push", "modal"].contains(style) else { throw fault("has the style \(style), which is neither push nor modal") }
      return .present(key: try required("key", \.string), modally: style == "modal")
    case "replace": return .replace(with: try required("with", \.string))
    case "dismiss": return .dismiss(key: try required("key", \.string))
    case "start-child":
      let router = try optional("router", \.string) ?? RouterKind.navigation.rawValue
      guard let kind = RouterKind(rawValue: router) else { throw fault("has the unknown router \(router)") }
      return .startChild(flow: try required("flow", \.string), input: try object("input"), kind)
    case "dismiss-child": return .cancelChild(try child("path"))
    case "work":
      let work = ProvidedWork(id: try required("id", \.string), argument: try optional("argument", \.string) ?? "")
      guard work.id.utf8.count <= AnswerDecoder.maxName, work.argument.utf8.count <= AnswerDecoder.maxState else {
        throw fault("has an id or an argument that is too long")
      }
      return .startWork(work, secrets: try strings("secrets"))
    case "cancel-work": return .cancelWork(try optional("id", \.string))
    case "timer":
      return .startTimer(
        key: try required("key", \.string), at: Timestamp(microseconds: try required("at", \.uint64)))
    case "cancel-timer": return .cancelTimer(key: try required("key", \.string))
    case "attach":
      let message = try required("message", \.vardict)
      guard let message = try? ScreenMessage(described: message) else { throw fault("has a message that cannot be read") }
      return .attach(message)
    case "output": return .emit(try object("value"))
    case "send": return .send(try object("message"), child: try child("child"))
    case "keep-secret": return .keepSecrets(try strings("names"))
    case "drop-secret": return .forgetSecrets(try strings("names"))
    case "finish": return .finish(try object("result"))
    case "cancel": return .cancel
    case "as-child": return .endAsChild(try child("path"))
    default: throw Fault("has the unknown operation \(name)")
    }
  }

  private func fault(_ what: String) -> Fault { Fault("has the operation \(name), which \(what)") }

  private func required<T>(_ key: String, _ read: (Value) -> T?) throws(Fault) -> T {
    guard let value = try optional(key, read) else { throw fault("lacks \(key)") }
    return value
  }

  private func optional<T>(_ key: String, _ read: (Value) -> T?) throws(Fault) -> T? {
    guard let value = values[key]?.unwrapped else { return nil }
    guard let value = read(value) else { throw fault("has \(key) of the wrong type") }
    return value
  }

  private func strings(_ key: String) throws(Fault) -> [String] {
    try optional(key) { value in
      guard let elements = value.elements else { return nil }
      let strings = elements.compactMap(\.unwrapped.string)
      return strings.count == elements.count ? strings : nil
    } ?? []
  }

  private func object(_ key: String) throws(Fault) -> [String: JSONValue] {
    try optional(key) { try? JSONValue.object(from: $0) } ?? [:]
  }

  /// Reads the path of a child as a coordinator path.
  private func child(_ key: String) throws(Fault) -> String {
    let path = try required(key) { $0.objectPath ?? $0.string.flatMap { try? ObjectPath($0) } }
    guard let path = CoordinatorPath(objectPath: path) else { throw fault("has the path \(path), which is no coordinator's") }
    return path.text
  }
}
