import CoordinatorClient
import Languages

extension Participant {
  /// The maximum length of a name, in characters. Limited because the name comes from another program.
  private static let longestName = 48

  /// The names of the people at this renderer, for other people: one for most kinds, none for a renderer that only observes.
  public var titles: [String] {
    if let people { return people.map(Self.shortened) }
    switch kind {
    case "terminal":
      return [name.isEmpty ? Text("a terminal").string : Text("terminal ({name})", ["name": Self.shortened(name)]).string]
    case "web": return [name.isEmpty ? Text("a browser").string : Self.shortened(name)]
    case "watch", "recorder", "answers": return []
    default: return [Self.shortened(name.isEmpty ? kind : name)].filter { !$0.isEmpty }
    }
  }

  /// The name of the person who types or answers at this renderer, as far as it is known.
  public var title: String {
    let titles = titles
    return titles.count == 1 ? titles[0] : kind == "web" ? Text("a browser").string : Text("another place").string
  }

  private static func shortened(_ name: String) -> String { String(name.printable.prefix(longestName)) }
}
