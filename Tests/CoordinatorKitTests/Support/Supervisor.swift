import CoordinatorKit

/// A parent that sends the result of its work to its child, and starts another child whenever one has ended.
actor Supervisor: Coordinator {
  static let flow = FlowDescription("supervisor", title: "Supervisor")

  enum Work: Codable { case mix }

  let context = Context()

  static func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Supervisor() }
    try catalogue.add { Taster() }
    return catalogue
  }

  func start() throws {
    try startChild(Taster.self)
    try startWork(.mix)
  }

  nonisolated func perform(_ work: Work, in context: WorkContext) async throws -> String { "poison" }

  func workEnded(_ work: Work, with result: WorkResult<String>) throws {
    guard case .done(let drink) = result else { return }
    for child in children { try send(drink, to: child, of: Taster.self) }
  }

  func childEnded(_ child: Child, outcome: Outcome) throws { try startChild(Taster.self) }
}

/// A child that every message fails.
actor Taster: Coordinator {
  static let flow = FlowDescription("taster", title: "Taster")

  enum Route: Codable { case table }
  typealias Message = String

  let context = Context()

  func start() { router.present(.table) }

  func screen(for route: Route) -> Screen { .message("table", title: "Table") }

  func parentSent(_ message: String) throws { throw Failure(code: "poisoned", message: "it was \(message)") }
}
