/// The flows that can be started, and what each coordinator is handed.
///
/// Filled once, where a daemon is put together: this is the one place that knows which data sources the coordinators get.
public struct FlowCatalogue: Sendable {
  private var definitions: [String: FlowDefinition] = [:]

  /// A catalogue without flows.
  public init() {}

  /// Adds a flow.
  ///
  /// - Parameter make: makes a coordinator of it, with its data sources handed in. Called each time that the flow is started, and
  ///   again when it comes back after a restart: what the flow was started with, and what it knows, comes from the runtime.
  /// - Throws: ``FlowCatalogueError`` if there is a flow of that name already, or its name cannot be one, or its
  ///   input cannot be checked.
  public mutating func add<C: Coordinator>(_ make: @escaping @Sendable () -> C) throws(FlowCatalogueError) {
    let description = C.flow
    guard !description.name.isEmpty, description.name.utf8.count <= 128 else { throw .invalidName(description.name) }
    guard definitions[description.name] == nil else { throw .duplicate(description.name) }
    do throws(SchemaError) { try description.input.validate() } catch { throw .invalidInput(description.name, error) }
    guard description.input.schema.secretFields.isEmpty else { throw .secretInput(description.name) }
    definitions[description.name] = FlowDefinition(make)
  }

  /// What can be said of each flow, by name in order.
  public var descriptions: [FlowDescription] {
    definitions.values.map(\.description).sorted { $0.name < $1.name }
  }

  /// The flow of that name.
  subscript(name: String) -> FlowDefinition? { definitions[name] }

  /// All routes of the flow of that name; nil if there is no such flow, or its routes cannot be listed (`CaseIterable`).
  package func routes(of flow: String) -> [any RouteValue]? { definitions[flow]?.routes }

  /// What can be said of a flow.
  ///
  /// - Parameter name: the name of the flow.
  /// - Returns: its description; nil if there is no such flow.
  public func description(of name: String) -> FlowDescription? { definitions[name]?.description }
}

/// Why a flow could not be added to a catalogue.
public enum FlowCatalogueError: Error, Sendable, Hashable {
  /// There is a flow of that name already.
  case duplicate(String)
  /// A name has 1 to 128 bytes.
  case invalidName(String)
  /// The description of what the flow is started with cannot be used to check anything.
  case invalidInput(String, SchemaError)
  /// An input is kept as long as the flow is, so it cannot hold secrets: a screen asks for them.
  case secretInput(String)
}
