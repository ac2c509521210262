import CoordinatorKit
import DBus
import ProviderFiles

/// The flows that one connection serves.
struct FlowRegistration: Sendable {
  /// The connection's unique name. The owner of ``name`` changes when another connection takes it.
  var owner: String
  /// The well-known name under which it serves; "" for none.
  let name: String
  /// The path of the provider's object.
  let path: ObjectPath
  /// How many questions it is asked at once.
  let concurrency: Int
  var flows: [RegisteredFlow] { didSet { positions = Self.positions(of: flows) } }
  /// Changes with the program; "" if it does not say.
  let digest: String
  /// Where a flow is in ``flows``: each of a thousand is looked up whenever any registration changes.
  private var positions: [String: Int]

  /// The most questions that a provider is asked at once.
  static var maxConcurrency: Int { 16 }

  /// Creates a registration.
  init(
    owner: String, name: String, path: ObjectPath, concurrency: Int = FlowRegistration.maxConcurrency,
    flows: [RegisteredFlow], digest: String = ""
  ) {
    (self.owner, self.name, self.path) = (owner, name, path)
    (self.concurrency, self.flows, self.digest) = (concurrency, flows, digest)
    positions = Self.positions(of: flows)
  }

  private static func positions(of flows: [RegisteredFlow]) -> [String: Int] {
    Dictionary(flows.enumerated().map { ($1.description.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// What tells registrations apart: a name has one, and so does a connection without a name.
  var key: String { name.isEmpty ? owner : name }

  /// How the provider is named to people.
  var title: String { name.isEmpty ? owner : name }

  /// The flow of a name; nil if it is not among them.
  subscript(name: String) -> RegisteredFlow? { positions[name].map { flows[$0] } }

  /// The size of the descriptions of its flows, in bytes.
  var size: Int { flows.reduce(0) { $0 + $1.size } }
}
