import CoordinatorBus
import DBus

/// What a renderer says of itself when it attaches.
struct RendererCapabilities: Sendable, Hashable {
  /// What kind of renderer it is: "terminal"; empty if it did not say.
  let kind: String
  /// The kinds of screens that it can show; nil for all.
  let kinds: [String]?

  /// Both are passed on to every other renderer.
  private static let longestKind = 64
  private static let mostKinds = 32

  /// Creates capabilities with the given values.
  init(kind: String, kinds: [String]? = nil) {
    self.kind = kind
    self.kinds = kinds
  }

  /// Reads the argument of Attach. Unknown keys are ignored: a newer renderer may say more.
  init(_ arguments: [Value]) throws(DBusError) {
    var arguments = Arguments(arguments)
    guard let capabilities = try arguments.value().vardict else { throw .invalidArgs("the capabilities are not a dictionary") }
    kind = try capabilities["kind"].map { value throws(DBusError) in try Self.kind(value) } ?? ""
    guard let kinds = capabilities["kinds"] else {
      self.kinds = nil
      return
    }
    guard let elements = kinds.elements, elements.count <= Self.mostKinds else {
      throw .invalidArgs("the capability 'kinds' is not a list of at most \(Self.mostKinds) strings")
    }
    var names: [String] = []
    for element in elements { names.append(try Self.kind(element)) }
    self.kinds = names
  }

  private static func kind(_ value: Value) throws(DBusError) -> String {
    guard let text = value.string, text.utf8.count <= longestKind else {
      throw .invalidArgs("a kind must be a string of at most \(longestKind) bytes")
    }
    return text
  }

  /// As it stands in the Router's property Renderers.
  func vardict(client: String) -> [String: Value] {
    var result: [String: Value] = ["kind": .string(kind), "client": .string(client)]
    result["kinds"] = kinds.map(Value.strings)
    return result
  }
}
