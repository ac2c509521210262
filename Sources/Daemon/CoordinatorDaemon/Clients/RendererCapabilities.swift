import CoordinatorBus
import DBus

/// The capabilities that a renderer declares when it attaches.
struct RendererCapabilities: Sendable, Hashable {
  /// The kind of renderer, such as "terminal"; empty if the renderer declared none.
  let kind: String
  /// The kinds of screens that the renderer can show; nil for all.
  let kinds: [String]?
  /// The name that distinguishes the renderer from others of its kind; empty if it declared none.
  var name = ""
  /// The people to whom it shows the tree; nil if it declared none.
  var people: [String]?
  /// The owner of the renderer's connection, to whom rules of flows apply.
  var peer: PeerCredentials?

  /// The limits of ``name`` and ``people``, because both are passed on to every other renderer.
  private static let longestName = 128
  private static let mostPeople = 32
  /// The limits of ``kind`` and ``kinds``, for the same reason.
  private static let longestKind = 64
  private static let mostKinds = 32

  /// Creates capabilities with the given values.
  init(kind: String, kinds: [String]? = nil) {
    self.kind = kind
    self.kinds = kinds
  }

  /// Decodes the argument of `Attach`. Unknown keys are ignored.
  ///
  /// - Parameter capabilities: the argument.
  /// - Throws: `InvalidArgs` for a value that is too long or of another type.
  init(_ capabilities: [String: Value]) throws(DBusError) {
    kind = try capabilities["kind"].map { value throws(DBusError) in try Self.kind(value) } ?? ""
    name = try capabilities["name"].map { value throws(DBusError) in try Self.name(value) } ?? ""
    people = try capabilities["people"].map { value throws(DBusError) in try Self.people(value) }
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

  private static func people(_ value: Value) throws(DBusError) -> [String] {
    guard let elements = value.elements, elements.count <= mostPeople else {
      throw .invalidArgs("the capability 'people' is not a list of at most \(mostPeople) strings")
    }
    var names: [String] = []
    for element in elements { names.append(try name(element)) }
    return names
  }

  private static func name(_ value: Value) throws(DBusError) -> String {
    guard let text = value.string, text.utf8.count <= longestName else {
      throw .invalidArgs("a name must be a string of at most \(longestName) bytes")
    }
    return text
  }

  private static func kind(_ value: Value) throws(DBusError) -> String {
    guard let text = value.string, text.utf8.count <= longestKind else {
      throw .invalidArgs("a kind must be a string of at most \(longestKind) bytes")
    }
    return text
  }

  /// Returns the entry for the renderer in the router's property `Renderers`.
  func vardict(client: String) -> [String: Value] {
    var result: [String: Value] = ["kind": .string(kind), "client": .string(client)]
    if !name.isEmpty { result["name"] = .string(name) }
    result["people"] = people.map(Value.strings)
    result["kinds"] = kinds.map(Value.strings)
    return result
  }
}
