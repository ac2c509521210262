import CoordinatorBus
import CoordinatorKit
import DBus
import Languages

/// A proxy for the Router of a flow tree. To follow the tree, use a ``WindowMirror``.
public struct RouterProxy: Sendable {
  let daemon: DaemonClient
  /// The path of the Router's object.
  public let path: ObjectPath
  /// The bus name that calls are sent to.
  let destination: String

  /// Attaches a renderer. The daemon detaches it when this connection closes.
  ///
  /// - Parameters:
  ///   - kind: kind of the renderer, such as "terminal".
  ///   - name: name that distinguishes it from others of its kind, of at most 128 bytes; empty for none.
  ///   - people: people to whom it shows the tree, at most 32; nil if it is one person.
  ///   - screenKinds: kinds of screens that the renderer can show; by default all that this library knows.
  /// - Returns: the current state of the Router.
  /// - Throws: ``ClientError``.
  public func attach(
    kind: String, name: String = "", people: [String]? = nil, screenKinds: [Screen.Kind] = Screen.Kind.allCases
  ) async throws(ClientError) -> WindowSnapshot {
    var capabilities: [String: Value] = ["kind": .string(kind), "kinds": .strings(screenKinds.map(\.rawValue))]
    if !name.isEmpty { capabilities["name"] = .string(name) }
    capabilities["people"] = people.map(Value.strings)
    let reply = try await call("Attach", [.vardict(capabilities)])
    return try await withReason(
      WindowSnapshot(revision: try reply.number(0), screens: try reply.vardicts(1), language: try await language()))
  }

  /// Detaches the renderer that ``attach(kind:name:people:screenKinds:)`` attached.
  ///
  /// - Throws: ``ClientError``.
  public func detach() async throws(ClientError) {
    _ = try await call("Detach", [])
  }

  /// Reads the current state of the Router without attaching a renderer.
  ///
  /// - Returns: the current state of the Router.
  /// - Throws: ``ClientError``.
  public func snapshot() async throws(ClientError) -> WindowSnapshot {
    try await snapshot(of: try await daemon.properties(path, Contract.routerInterface, destination: destination))
  }

  private func snapshot(of properties: Properties) async throws(ClientError) -> WindowSnapshot {
    try await withReason(
      WindowSnapshot(
        revision: try properties.read("Revision", \.uint64), screens: try properties.read("Screens", \.vardicts),
        language: LanguageTag(property: properties.values["Language"])))
  }

  /// Reads the language of the screens, which the reply of Attach does not contain.
  private func language() async throws(ClientError) -> LanguageTag {
    do {
      return LanguageTag(
        property: try await daemon.property("Language", path, Contract.routerInterface, destination: destination))
    } catch .failed(let error) where error.isStandard("UnknownProperty") {
      return .english
    }
  }

  /// Adds the reason why the tree is held, if the snapshot shows no screens.
  private func withReason(_ snapshot: WindowSnapshot) async throws(ClientError) -> WindowSnapshot {
    guard snapshot.screens.isEmpty, let root = Contract.root(of: path) else { return snapshot }
    var snapshot = snapshot
    snapshot.held = try await daemon.coordinator(root, owner: destination).held()
    return snapshot
  }

  /// Reads the window that the tree currently shows.
  ///
  /// - Returns: the window.
  /// - Throws: ``ClientError``.
  public func window() async throws(ClientError) -> MirroredWindow {
    try Self.window(of: try await snapshot())
  }

  /// Reads the window of the tree and the kinds of its renderers, without attaching a renderer.
  ///
  /// - Returns: the window, and the kind of each attached renderer, such as "terminal"; "" if it gave none.
  /// - Throws: ``ClientError``.
  public func overview() async throws(ClientError) -> (window: MirroredWindow, renderers: [String]) {
    let properties = try await daemon.properties(path, Contract.routerInterface, destination: destination)
    let renderers = properties.values["Renderers"]?.vardicts ?? []
    return (try Self.window(of: try await snapshot(of: properties)), renderers.map { $0["kind"]?.string ?? "" })
  }

  private static func window(of snapshot: WindowSnapshot) throws(ClientError) -> MirroredWindow {
    do {
      return MirroredWindow(
        revision: snapshot.revision, screens: try MirroredStack(snapshot).screens, held: snapshot.held,
        language: snapshot.language)
    } catch {
      throw .malformedAnswer(error.description)
    }
  }

  /// Reads the unique names of the connections that are attached as renderers, including this one's own.
  ///
  /// - Returns: the names.
  /// - Throws: ``ClientError``.
  public func attachedClients() async throws(ClientError) -> [String] { try await participants().map(\.client) }

  /// Reads the attached renderers, including this connection.
  ///
  /// - Returns: the renderers, in the order of their unique names.
  /// - Throws: ``ClientError``.
  public func participants() async throws(ClientError) -> [Participant] {
    let renderers = try await daemon.property("Renderers", path, Contract.routerInterface, destination: destination)
    guard let renderers = renderers.vardicts else { throw .malformedAnswer("Renderers") }
    return renderers.compactMap(Participant.init)
  }

  /// Goes back from a screen.
  ///
  /// - Parameters:
  ///   - screen: id of the top screen of the top layer.
  ///   - options: options of the call; `request` applies.
  /// - Returns: the revision of the tree after going back.
  /// - Throws: ``ClientError``.
  public func back(screen: UInt64, options: Options = Options()) async throws(ClientError) -> UInt64 {
    try await call("Back", [.uint64(screen), options.value], deadline: DaemonClient.handlerDeadline).number(0)
  }

  /// Saves the unsent input of a screen, which makes it available in every other renderer.
  ///
  /// - Parameters:
  ///   - screen: id of a screen of the window.
  ///   - values: draft by field: a value of the field's type, or the text typed so far. Replaces the previous draft; an empty
  ///     dictionary removes it.
  /// - Throws: ``ClientError``; `ContractError.invalidPayload` if a field is confidential.
  public func saveDraft(screen: UInt64, values: [String: JSONValue]) async throws(ClientError) {
    _ = try await call("SaveDraft", [.uint64(screen), try daemon.value(of: values), .vardict([:])])
  }

  private func call(
    _ member: String, _ arguments: [Value], deadline: Duration = .seconds(25)
  ) async throws(ClientError) -> Reply {
    try await daemon.call(
      path, Contract.routerInterface, member, arguments, destination: destination, deadline: deadline)
  }
}

extension LanguageTag {
  /// Reads the property Language; English if an older daemon does not have it, or if the tree is held.
  init(property: Value?) { self = property?.string.flatMap { try? LanguageTag($0) } ?? .english }
}
