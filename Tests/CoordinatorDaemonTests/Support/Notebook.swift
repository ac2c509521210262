import CoordinatorKit
import Platform

/// A flow in two versions: that of an older daemon, and that of a newer one.
protocol Notebook: Coordinator where State == NotebookState, Route == NotebookRoute, Input == NoInput {}

struct NotebookState: FlowState { var notes = 0 }
enum NotebookRoute: String, RouteValue { case page, again }

extension Notebook {
  func start() { router.present(.page) }

  func screen(for route: Route) -> Screen {
    .message(
      "\(route)", title: Text(verbatim: "Notes: \(state.notes)"), actions: [Action("note", "Note"), Action("turn", "Turn")])
  }

  func receive(_ event: Event, on route: Route) throws {
    switch event.name {
    case "note": state.notes += 1
    case "turn": router.present(.again)
    default: throw event.notTaken
    }
  }
}

actor OldNotebook: Notebook {
  static let flow = FlowDescription("notebook", title: "Notebook")
  let context = Context()
}

actor NewNotebook: Notebook {
  static let flow = FlowDescription("notebook", title: "Notebook", version: 2)
  let context = Context()

  /// Whether the flow can migrate stored state now.
  static let canMigrate = Lock(false)

  static func migrate(_ stored: inout StoredFlow, from version: Int) throws {
    guard canMigrate.withLock(\.self) else { throw RestoringError.noMigration("notebook", stored: version, known: 2) }
  }
}

extension FlowCatalogue {
  /// Returns the flows of an older daemon.
  static func old() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { OldNotebook() }
    return catalogue
  }

  /// Returns the flows of a newer daemon.
  static func new() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { NewNotebook() }
    return catalogue
  }
}
