import CoordinatorKit
import CoordinatorTestKit

/// A flow that follows a map of its screens and the destinations of their events.
actor Maze: Coordinator {
  static let flow = FlowDescription("maze", title: "Maze")

  /// The contents of a screen.
  struct Room: Sendable {
    var actions: [(String, Way)] = []
    var items: [String]?
    var chosen = Way.ignore
    var back = Way.take
    var form: Form?
    var progress: Progress?
  }

  /// The effect of an event.
  enum Way: Sendable {
    case to(String)
    case finish, fail, refuse, ignore, take
    /// Throws an error that is not a refusal of this kind of call.
    case complain
    /// Starts a child with the rooms of the same map.
    case child
  }

  struct Route: Codable, Hashable {
    var name: String
  }

  let context = Context()
  private let rooms: [String: Room]
  private let outside: [String: Way]
  private let isFree: Bool

  /// Creates a maze that begins in the room `hall`.
  ///
  /// - Parameters:
  ///   - rooms: rooms by name.
  ///   - outside: effects of events that come from no screen.
  ///   - isFree: whether the maze can be dismissed.
  init(_ rooms: [String: Room], outside: [String: Way] = [:], isFree: Bool = true) {
    self.rooms = rooms
    self.outside = outside
    self.isFree = isFree
  }

  var canBeCancelled: Bool { isFree }

  func start() { router.present(Route(name: "hall")) }

  func screen(for route: Route) throws -> Screen {
    guard let room = rooms[route.name] else { throw Failure(code: "no-room", message: "there is no room \(route.name)") }
    return Screen(
      route.name, kind: .menu, title: route.name, actions: room.actions.map { Action($0.0, verbatim: $0.0, role: room.role) },
      items: room.items?.map { Item($0, verbatim: $0) }, form: room.form, progress: room.progress)
  }

  func allowsBack(from route: Route) -> Bool {
    if case .ignore = rooms[route.name]?.back { false } else { true }
  }

  func receive(_ event: Event, on route: Route) throws {
    let room = rooms[route.name]
    let way = event.name == Event.select ? room?.chosen : room?.actions.first { $0.0 == event.name }?.1
    try go(way ?? .ignore, event)
  }

  func receive(_ event: Event) throws { try go(outside[event.name] ?? .ignore, event) }

  func wentBack(from route: Route) throws {
    switch rooms[route.name]?.back {
    case .fail: throw Failure(code: "trap", message: "there is no way back")
    case .refuse: throw Refusal.denied("not that way")
    case .complain: throw InvalidPayload(fields: ["shoe": "is missing"])
    default: break
    }
  }

  private func go(_ way: Way, _ event: Event) throws {
    switch way {
    case .to(let name): router.present(Route(name: name))
    case .finish: finish()
    case .fail: throw Failure(code: "trap", message: "the floor gives way")
    case .refuse: throw Refusal.denied("the door is shut")
    case .complain: throw InvalidPayload(fields: ["key": "does not fit"])
    case .ignore: throw event.notTaken
    case .take: break
    case .child: try startChild(Maze.self)
    }
  }
}

extension Maze.Room {
  /// The role of the room's actions: in a form, all of them submit its payload.
  fileprivate var role: Action.Role { form == nil ? .normal : .primary }
}

extension Maze {
  /// Returns an explorer of a maze.
  static func explorer(_ rooms: [String: Room], outside: [String: Way] = [:], isFree: Bool = true) throws -> FlowExplorer {
    var catalogue = FlowCatalogue()
    try catalogue.add { Maze(rooms, outside: outside, isFree: isFree) }
    return FlowExplorer("maze", in: catalogue, outsideEvents: outside.keys.sorted())
  }
}
