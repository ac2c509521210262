import DBus

/// A renderer that is attached to a flow tree, as it describes itself.
///
/// Its texts come from another program: make them printable before you show them.
public struct Participant: Sendable, Hashable {
  /// The unique name of its connection to the bus.
  public var client: String
  /// The kind of renderer, such as "terminal"; empty if it has not told.
  public var kind: String
  /// What distinguishes it from others of its kind, such as "pts/3, anna"; empty if it has not told.
  public var name: String
  /// The people that it shows the tree to; nil if it has not told, and then it is one person.
  public var people: [String]?

  /// Creates a participant with the given values.
  public init(client: String, kind: String, name: String = "", people: [String]? = nil) {
    self.client = client
    self.kind = kind
    self.name = name
    self.people = people
  }

  /// What distinguishes the one who answers here: the name, or that of the only person.
  var displayedName: String {
    guard let people else { return name }
    return people.count == 1 ? people[0] : ""
  }

  /// Decodes an entry of the property Renderers; nil if it has no client.
  init?(_ entry: [String: Value]) {
    guard let client = entry["client"]?.string else { return nil }
    self.init(
      client: client, kind: entry["kind"]?.string ?? "", name: entry["name"]?.string ?? "",
      people: entry["people"]?.elements.map { $0.compactMap(\.string) })
  }
}
