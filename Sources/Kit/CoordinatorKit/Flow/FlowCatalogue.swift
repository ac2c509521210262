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

  /// Adds a flow without checking its declaration for mistakes. For flows that ship with this package, whose tests check them,
  /// because the checks take a tenth of a daemon's start.
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

  /// Returns the schemas of the results and outputs of a flow.
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

  /// The flows of this process, in the form in which it serves them to a daemon.
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
  /// The input contains secret fields. An input is stored while the flow lives, so ask for secrets on a screen
  /// instead.
  case secretInput(String)
  /// The coordinator is declared in a way that the compiler accepts, but that cannot work.
  case mistakes(String, [FlowMistake])

  /// The problem and its remedy, for authors.
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

/// The static description of a flow, available without running it.
///
/// ```swift
/// static let flow = FlowDescription(
///   "kanji-detail", title: "A kanji", summary: "Shows what a kanji means.",
///   input: Form(Field("kanji", .string(title: "Kanji"))))
/// ```
public struct FlowDescription: Sendable, Hashable {
  /// The name by which the flow is started, such as `schedule-visit`. Stable.
  public var name: String
  /// The title for users, which can be translated.
  public var titleText: Text
  /// The purpose of the flow, in one sentence, which can be translated.
  public var summaryText: Text
  /// The title in other languages, of a flow that brings its own translations, as flows of other programs do.
  public var titles: [LanguageTag: String] = [:]
  /// The purpose in other languages.
  public var summaries: [LanguageTag: String] = [:]
  /// The input that the flow accepts. Any other input is refused before the flow is started.
  public var input: Form
  /// The version of the stored values. Raise it by one whenever `State`, `Route` or `Work` change so that stored values
  /// can no longer be decoded.
  public var version: Int
  /// The router that the flow uses when it is started on its own.
  public var router: RouterKind
  /// Whether the flow may be played as a rehearsal: neither the flow nor the flows that it starts change anything outside,
  /// regardless of the answers.
  public var isRehearsable: Bool
  /// Whether the user may leave the flow before it has ended: by Back on its first screen, or by dismissing it.
  public var canBeLeft: Bool
  /// Whether only other flows may start the flow. It is then not listed, and clients cannot start it.
  public var isInternal: Bool
  /// Whether at most one instance of the flow runs on its own at a time.
  public var isSingleton: Bool
  /// Whether the flow is a part of others: it can be started on its own, but front ends do not offer it to users.
  public var isPart: Bool

  /// Creates a description.
  ///
  /// - Parameters:
  ///   - name: the name by which the flow is started, 1 to 128 bytes; stable.
  ///   - title: the title for users.
  ///   - summary: the purpose of the flow, in one sentence.
  ///   - input: the input that the flow accepts; no secrets.
  ///   - version: the version of the stored values.
  ///   - router: the router that the flow uses when it is started on its own.
  ///   - isRehearsable: whether the flow may be played as a rehearsal, because neither it nor the flows that it starts
  ///     change anything outside it.
  ///   - canBeLeft: whether the user may leave the flow before it has ended.
  ///   - isInternal: whether only other flows may start the flow.
  ///   - isSingleton: whether at most one instance of the flow runs on its own at a time.
  ///   - isPart: whether the flow is a part of others, which front ends do not offer to users.
  public init(
    _ name: String, title: Text, summary: Text = "", input: Form = Form(), version: Int = 1,
    router: RouterKind = .navigation, isRehearsable: Bool = false, canBeLeft: Bool = true, isInternal: Bool = false,
    isSingleton: Bool = false, isPart: Bool = false
  ) {
    self.name = name
    titleText = title
    summaryText = summary
    self.input = input
    self.version = version
    self.router = router
    self.isRehearsable = isRehearsable
    self.canBeLeft = canBeLeft
    self.isInternal = isInternal
    self.isSingleton = isSingleton
    self.isPart = isPart
  }

  /// The title for users, in English.
  public var title: String { titleText.resolved(in: nil) }
  /// The purpose of the flow, in one sentence, in English.
  public var summary: String { summaryText.resolved(in: nil) }

  /// Returns the title in other languages, where it differs from the English one: the flow's own translations, and those of
  /// catalogs.
  package func titles(in languages: [Translations.Language]) -> [LanguageTag: String] {
    Self.translations(of: titleText, languages, titles)
  }

  /// Returns the summary in other languages; see ``titles(in:)``.
  package func summaries(in languages: [Translations.Language]) -> [LanguageTag: String] {
    Self.translations(of: summaryText, languages, summaries)
  }

  private static func translations(
    of text: Text, _ languages: [Translations.Language], _ own: [LanguageTag: String]
  ) -> [LanguageTag: String] {
    let original = text.resolved(in: nil)
    let found = languages.map { ($0.tag, text.resolved(in: $0)) }.filter { !$0.1.bytes.equals(original) }
    return Dictionary(found) { first, _ in first }.merging(own) { $1 }
  }

  /// The flow's name as a path element: every character outside `[A-Za-z0-9_]` is replaced by `_`.
  public var element: String {
    String(String.UnicodeScalarView(name.unicodeScalars.map(Self.elementScalar)))
  }

  private static func elementScalar(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar {
    case "A"..."Z", "a"..."z", "0"..."9", "_": scalar
    default: "_"
    }
  }
}

/// A flow as the runtime knows it, independent of the type of its coordinator.
struct FlowDefinition: Sendable {
  let description: FlowDescription
  let initialState: any FlowState
  /// Whether its work shows live values.
  let showsLiveValues: Bool
  /// Whether its coordinators are notified when a user starts or stops viewing their screens.
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
  ///   - schemas: the schemas of its results and outputs.
  ///   - provider: decides for its coordinators.
  ///   - wantsLooking: whether its coordinators are notified when a user starts or stops viewing their screens.
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

  /// The schemas of the results and outputs of the flow.
  var schemas: FlowSchemas { listSchemas() }

  /// Returns why the flow does not accept an input, by key; empty if it does.
  func check(_ input: [String: JSONValue]) -> [String: String] { checkInput(input) }

  /// Decodes a stored coordinator of this flow.
  func restore(_ stored: StoredCoordinator, routes: [String]) throws -> RestoredCoordinator {
    try restoreStored(stored, routes)
  }

  /// The flow in the form in which this process serves it to a daemon; nil if another process serves it.
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

/// The schemas of a flow's result and outputs, if their types declare them.
///
/// A type declares its schema as a form does: it conforms to ``/Forms/FormValues``.
public struct FlowSchemas: Sendable, Hashable {
  /// The schema of the result; nil if its type does not declare one.
  public let result: Schema?
  /// The schema of the outputs; nil if there are none, or if their type does not declare one.
  public let output: Schema?

  /// Creates the schemas of a flow that describes them itself.
  package init(result: Schema?, output: Schema?) { (self.result, self.output) = (result, output) }

  // A dynamic check for a conformance searches all types of the program, so it is deferred until the schemas are requested.
  init(result: Any.Type, output: Any.Type) {
    self.result = result == NoResult.self ? .object() : Self.schema(of: result)
    self.output = Self.schema(of: output)
  }

  private static func schema(of type: Any.Type) -> Schema? {
    guard let values = type as? any FormValues.Type else { return nil }
    let schema = Schema.object(values)
    return (try? schema.validate()) == nil ? nil : schema
  }
}
