import DBus

/// A renderer that is attached to a flow tree, as it describes itself.
///
/// The texts come from another program: make them printable before you show them.
public struct Participant: Sendable, Hashable {
  /// The unique name of its connection to the bus.
  public var client: String
  /// The kind of renderer, such as "terminal"; empty if it has not given one.
  public var kind: String
  /// The name that distinguishes it from other renderers of its kind, such as "pts/3, anna"; empty if it has not given one.
  public var name: String
  /// The people to whom it shows the tree; nil if it has not named them, which means one person.
  public var people: [String]?

  /// Creates a participant with the given values.
  public init(client: String, kind: String, name: String = "", people: [String]? = nil) {
    self.client = client
    self.kind = kind
    self.name = name
    self.people = people
  }

  /// The displayed name of the person at this renderer: the renderer's name, or that of its only person.
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
