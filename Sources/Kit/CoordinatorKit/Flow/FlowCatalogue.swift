import Languages

/// The flows that can be started.
///
/// A daemon fills its catalogue once, at startup. This is the only place that determines which data sources
/// coordinators receive.
///
/// ```swift
/// var catalogue = FlowCatalogue()
/// try catalogue.add { Coffee() }
/// try catalogue.add { KanjiList(source: kanji) }
/// ```
public struct FlowCatalogue: Sendable {
  /// The translations of the flows' texts. English if there are none.
  public var translations = Translations.none

  /// The flows that other processes serve; nil if there can be none.
  package var provided: ProvidedFlows?

  private var definitions: [String: FlowDefinition] = [:]

  /// Creates an empty catalogue.
  public init() {}

  /// Adds a flow.
  ///
  /// - Parameter make: creates a coordinator of the flow and passes its data sources to it. Called each time the flow
  ///   is started or restored after a restart; the runtime supplies the input and the state.
  /// - Throws: ``FlowCatalogueError`` if the catalogue already contains a flow of that name, the name is invalid, or
  ///   the description of the input is invalid or contains secret fields, or the coordinator is declared with a
  ///   ``FlowMistake``.
  public mutating func add<C: Coordinator>(_ make: @escaping @Sendable () -> C) throws(FlowCatalogueError) {
    try addTested(make)
    let mistakes = FlowMistake.all(in: C.self)
    guard !mistakes.isEmpty else { return }
    definitions[C.flow.name] = nil
    throw .mistakes(C.flow.name, mistakes)
  }

  /// Adds a flow without looking for mistakes in its declaration, which its tests do: for those that ship with this package,
  /// because to look takes a tenth of a daemon's start.
  package mutating func addTested<C: Coordinator>(_ make: @escaping @Sendable () -> C) throws(FlowCatalogueError) {
    let description = C.flow
    guard !description.name.isEmpty, description.name.utf8.count <= 128 else { throw .invalidName(description.name) }
    guard definitions[description.name] == nil else { throw .duplicate(description.name) }
    do throws(SchemaError) { try description.input.validate() } catch { throw .invalidInput(description.name, error) }
    guard description.input.schema.secretFields.isEmpty else { throw .secretInput(description.name) }
    definitions[description.name] = FlowDefinition(make)
  }

  /// The descriptions of all flows, sorted by name.
  public var descriptions: [FlowDescription] {
    let provided = provided?.definitions.filter { definitions[$0.description.name] == nil } ?? []
    return (Array(definitions.values) + provided).map(\.description).sorted { $0.name < $1.name }
  }

  /// Returns the schemas of what a flow returns and emits.
  ///
  /// - Parameter name: the name of the flow.
  /// - Returns: the schemas, or nil if there is no such flow.
  public func schemas(of name: String) -> FlowSchemas? { self[name]?.schemas }

  /// The flow whose name has the same bytes as the given one.
  subscript(name: String) -> FlowDefinition? {
    guard let found = definitions[name] ?? provided?[name], found.description.name.utf8.elementsEqual(name.utf8) else {
      return nil
    }
    return found
  }

  /// Returns all routes of a flow, or nil if there is no such flow or its routes are not `CaseIterable`.
  package func routes(of flow: String) -> [any RouteValue]? { definitions[flow]?.routes }

  /// Returns the mistakes in the declaration of a flow's coordinator; none if there is no such flow.
  package func mistakes(in flow: String) -> [FlowMistake] { definitions[flow]?.mistakes ?? [] }

  /// The flows of this process, as it serves them to a daemon.
  var servedFlows: [String: any ServingFlow] { definitions.compactMapValues(\.served) }

  /// Returns the description of a flow.
  ///
  /// - Parameter name: the name of the flow.
  /// - Returns: the description, or nil if there is no such flow.
  public func description(of name: String) -> FlowDescription? { self[name]?.description }

  /// The names of the flows that are built in.
  package var builtInNames: [String] { Array(definitions.keys) }

  /// Returns whether a flow is built in, so that no other process can serve it.
  package func isBuiltIn(_ name: String) -> Bool { definitions[name] != nil }
}

/// Why a flow could not be added to a catalogue.
public enum FlowCatalogueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The catalogue already contains a flow of that name.
  case duplicate(String)
  /// The name does not have 1 to 128 bytes.
  case invalidName(String)
  /// The form that describes the input is invalid.
  case invalidInput(String, SchemaError)
  /// The input contains secret fields. An input is stored as long as the flow lives, so ask for secrets on a screen
  /// instead.
  case secretInput(String)
  /// The coordinator is declared in a way that the compiler accepts, but that cannot work.
  case mistakes(String, [FlowMistake])

  /// Says what is wrong, and what to do.
  public var description: String {
    switch self {
    case .duplicate(let flow): "the flow \(flow) is added twice: each needs a name of its own"
    case .invalidName(let flow): "the name of the flow \(flow) must have 1 to 128 bytes"
    case .invalidInput(let flow, let error): "the input of the flow \(flow) is invalid: \(error)"
    case .secretInput(let flow):
      "the input of the flow \(flow) has a secret field: ask for secrets on a screen, because inputs are stored"
    case .mistakes(let flow, let mistakes):
      "the flow \(flow) cannot be served: " + mistakes.map(\.description).joined(separator: "; ")
    }
  }
}
