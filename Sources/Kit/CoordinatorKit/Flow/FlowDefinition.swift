/// A flow as the runtime knows it, independent of the type of its coordinator.
struct FlowDefinition: Sendable {
  let description: FlowDescription
  let initialState: any FlowState
  /// Whether its work shows live values.
  let showsLiveValues: Bool
  /// Whether its coordinators are told who looks at their screens.
  let wantsLooking: Bool
  private let listRoutes: @Sendable () -> [any RouteValue]?
  private let listMistakes: @Sendable () -> [FlowMistake]
  private let listSchemas: @Sendable () -> FlowSchemas
  private let checkInput: @Sendable ([String: JSONValue]) -> [String: String]
  private let restoreStored: @Sendable (StoredCoordinator, [String]) throws -> RestoredCoordinator
  private let makeRunning: @Sendable ([String: JSONValue]) throws -> any RunningCoordinator
  private let makeServed: (@Sendable () -> any ServingFlow)?

  init<C: Coordinator>(_ make: @escaping @Sendable () -> C) {
    description = C.flow
    initialState = C.State()
    showsLiveValues = C.Live.self != Never.self
    wantsLooking = false
    // Evaluated lazily, because a dynamic check for `CaseIterable` searches all types of the program.
    listRoutes = { C.listedRoutes }
    listMistakes = { FlowMistake.all(in: C.self) }
    listSchemas = { FlowSchemas(result: C.Result.self, output: C.Output.self) }
    let schema = C.flow.input.schema
    checkInput = { input in
      let reasons = schema.check(input)
      guard reasons.isEmpty else { return reasons }
      do {
        _ = try JSONValue.object(input).decoded(as: C.Input.self)
        return [:]
      } catch {
        return C.reasons(for: error)
      }
    }
    let known = DecodedTexts<C.Route>()
    restoreStored = { stored, routes in try C.restore(stored, routes: routes, known: known) }
    makeRunning = { [description] input in
      RunningActor(
        make(), input: try JSONValue.object(input).decoded(as: C.Input.self), canBeLeft: description.canBeLeft)
    }
    makeServed = { ServedFlow(make) }
  }

  /// Creates the definition of a flow that another process serves.
  ///
  /// - Parameters:
  ///   - flow: the flow.
  ///   - schemas: what it returns and emits.
  ///   - provider: decides for its coordinators.
  ///   - wantsLooking: whether its coordinators are told who looks at their screens.
  ///   - checksInput: false for a stand-in, which does not know the schema of the input.
  init(
    provided flow: FlowDescription, schemas: FlowSchemas, by provider: any FlowProvider, wantsLooking: Bool = false,
    checksInput: Bool = true
  ) {
    description = flow
    initialState = ProvidedCoordinator.State()
    showsLiveValues = false
    self.wantsLooking = wantsLooking
    listRoutes = { nil }
    listMistakes = { [] }
    listSchemas = { schemas }
    let schema = flow.input.schema
    checkInput = { checksInput ? schema.check($0) : [:] }
    let known = DecodedTexts<ProvidedCoordinator.Route>()
    restoreStored = { stored, routes in try ProvidedCoordinator.restore(stored, routes: routes, known: known) }
    makeRunning = { input in
      ProvidedRunning(flow: flow.name, provider: provider, input: input, canBeLeft: flow.canBeLeft)
    }
    makeServed = nil
  }

  /// All routes of the flow, or nil if they cannot be listed.
  var routes: [any RouteValue]? { listRoutes() }

  /// The mistakes in the declaration of the coordinator.
  var mistakes: [FlowMistake] { listMistakes() }

  /// The schemas of what the flow returns and emits.
  var schemas: FlowSchemas { listSchemas() }

  /// Returns why the flow does not accept an input, by key; empty if it does.
  func check(_ input: [String: JSONValue]) -> [String: String] { checkInput(input) }

  /// Decodes what was stored of a coordinator of this flow.
  func restore(_ stored: StoredCoordinator, routes: [String]) throws -> RestoredCoordinator {
    try restoreStored(stored, routes)
  }

  /// The flow as a process serves it whose daemon is another one; nil if others serve it.
  var served: (any ServingFlow)? { makeServed?() }

  /// Creates a coordinator of this flow.
  func makeCoordinator(input: [String: JSONValue]) throws -> any RunningCoordinator { try makeRunning(input) }
}

extension CaseIterable {
  fileprivate static func cases<Value>(as type: Value.Type) -> [Value] { allCases.compactMap { $0 as? Value } }
}

extension Coordinator {
  fileprivate static var listedRoutes: [Route]? { (Route.self as? any CaseIterable.Type)?.cases(as: Route.self) }

  fileprivate static func reasons(for error: any Error) -> [String: String] {
    guard let error = error as? DecodingError else { return ["": String(describing: error)] }
    let context: DecodingError.Context
    var key = ""
    switch error {
    case .keyNotFound(let missing, let where_): (key, context) = (missing.stringValue, where_)
    case .valueNotFound(_, let where_), .typeMismatch(_, let where_), .dataCorrupted(let where_): context = where_
    @unknown default: return ["": String(describing: error)]
    }
    return [context.codingPath.first?.stringValue ?? key: context.debugDescription]
  }
}
