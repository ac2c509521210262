/// A route below the entrance.
enum Route: Sendable, Hashable {
  case home
  case homeEvents
  case flows
  case input(flow: String)
  case tree(String)
  case events(String)
  case screen(UInt64, String)
  case again(String)
  case phone(String)
  case alive(String)
  case ending(UInt64, String)
  case asking(UInt64, String)
  case back(UInt64, String)
  case returning(UInt64, String)
  case draft(UInt64, String)
  /// A file that pages refer to, by name.
  case asset(String)
  case accent(Accent)

  /// Finds the route of a path; nil if there is none.
  init?(_ path: [String], below entrance: Entrance) {
    guard path.first == entrance.prefix else { return nil }
    let path = path.dropFirst()
    switch path.first {
    case nil: self = .home
    case "events" where path.count == 1: self = .homeEvents
    case "flows" where path.count == 1: self = .flows
    case "flows": self.init(flows: path.dropFirst())
    case "new" where path.count == 2: self = .input(flow: path[path.startIndex + 1])
    case "accents" where path.count == 2:
      guard let accent = Accent(fileName: path[path.startIndex + 1]) else { return nil }
      self = .accent(accent)
    case let name? where path.count == 1:
      guard Asset.isName(name) else { return nil }
      self = .asset(name)
    default: return nil
    }
  }

  private init?(flows path: ArraySlice<String>) {
    let path = Array(path)
    let tree = path[0]
    switch (path.count, path.dropFirst().first) {
    case (1, _): self = .tree(tree)
    case (2, "events"): self = .events(tree)
    case (2, "again"): self = .again(tree)
    case (2, "phone"): self = .phone(tree)
    case (2, "alive"): self = .alive(tree)
    case (3, "screens"), (4, "screens"):
      // Only the canonical form of a number is accepted, so that a page has exactly one URL.
      guard let id = UInt64(path[2]), String(id) == path[2] else { return nil }
      switch path.dropFirst(3).first {
      case nil: self = .screen(id, tree)
      case "end": self = .ending(id, tree)
      case "confirm": self = .asking(id, tree)
      case "back": self = .back(id, tree)
      case "return": self = .returning(id, tree)
      case "draft": self = .draft(id, tree)
      default: return nil
      }
    default: return nil
    }
  }

  /// Whether the route needs no session: stylesheets and scripts, which reveal nothing of any flow.
  var isPublic: Bool {
    switch self {
    case .asset, .accent: true
    default: false
    }
  }

  /// The name of the flow tree of the route; nil if it has none.
  var tree: String? {
    switch self {
    case .home, .homeEvents, .flows, .asset, .accent, .input: nil
    case .tree(let tree), .events(let tree), .again(let tree), .phone(let tree), .alive(let tree),
      .ending(_, let tree), .asking(_, let tree), .screen(_, let tree), .back(_, let tree), .returning(_, let tree),
      .draft(_, let tree):
      tree
    }
  }

  /// Returns the path of the page to show if the route cannot be served now.
  func page(_ links: Links) -> String {
    if case .input(let flow) = self { return links.input(of: flow) }
    return tree.map(links.tree) ?? links.home
  }

  /// Whether the route accepts POST only.
  private var isAction: Bool {
    switch self {
    case .flows, .again, .alive, .back, .returning, .draft: true
    default: false
    }
  }

  /// Returns whether the route accepts a method.
  func takes(_ method: HTTPRequest.Method) -> Bool {
    switch self {
    case .screen, .input, .ending, .phone: true
    default: (method == .post) == isAction
    }
  }
}
