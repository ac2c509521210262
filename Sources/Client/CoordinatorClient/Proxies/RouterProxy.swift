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
  ///
  /// - Returns: the language; English if the daemon has no languages, or if the tree is held.
  /// - Throws: ``ClientError``.
  public func language() async throws(ClientError) -> LanguageTag {
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

  /// An overview of a flow tree, read at one moment.
  public struct Overview: Sendable, Hashable {
    /// The window of the tree.
    public var window: MirroredWindow
    /// The kind of each attached renderer, such as "terminal"; "" if it gave none.
    public var renderers: [String]
    /// The last transition; nil if it is not known, or if the daemon is older than the feature `last-transition`.
    public var last: LastTransition?
  }

  /// Reads an overview of the tree, without attaching a renderer.
  ///
  /// - Returns: the overview.
  /// - Throws: ``ClientError``.
  public func overview() async throws(ClientError) -> Overview {
    let properties = try await daemon.properties(path, Contract.routerInterface, destination: destination)
    let renderers = properties.values["Renderers"]?.vardicts ?? []
    return Overview(
      window: try Self.window(of: try await snapshot(of: properties)), renderers: renderers.map { $0["kind"]?.string ?? "" },
      last: LastTransition(properties.values["LastTransition"]))
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
    try await daemon.calling(with: options) { options throws(ClientError) in
      try await call("Back", [.uint64(screen), options.value], deadline: DaemonClient.handlerDeadline)
    }.number(0)
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

  /// Proposes the language in which the tree is shown. It has an effect only as long as the language is not chosen, and no
  /// user has answered.
  ///
  /// - Parameter language: the user's language.
  /// - Throws: ``ClientError``; `ContractError` for the standard error UnknownMethod if the daemon is older than proposals.
  public func proposeLanguage(_ language: LanguageTag) async throws(ClientError) {
    _ = try await call(
      "ProposeLanguage", [.string(language.description), .vardict([:])], deadline: DaemonClient.handlerDeadline)
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

/// The reply of a method call. Reading a value that is missing or of another type throws; it never traps.
struct Reply: Sendable {
  let member: String
  let values: [Value]

  /// Returns the string at an index.
  func text(_ index: Int) throws(ClientError) -> String { try read(index, \.string) }

  /// Returns the object path at an index.
  func path(_ index: Int) throws(ClientError) -> ObjectPath { try read(index, \.objectPath) }

  /// Returns the 64-bit unsigned number at an index.
  func number(_ index: Int) throws(ClientError) -> UInt64 { try read(index, \.uint64) }

  /// Returns the 32-bit unsigned number at an index.
  func smallNumber(_ index: Int) throws(ClientError) -> UInt32 {
    try read(index) { if case .uint32(let number) = $0 { number } else { nil } }
  }

  /// Returns the JSON object at an index.
  func object(_ index: Int) throws(ClientError) -> [String: JSONValue] {
    try read(index) { try? JSONValue.object(from: $0, depthLimit: .max) }
  }

  /// Returns the dictionaries in the array at an index.
  func vardicts(_ index: Int) throws(ClientError) -> [[String: Value]] { try read(index, \.vardicts) }

  /// Returns the elements of the array at an index.
  func elements(_ index: Int) throws(ClientError) -> [Value] { try read(index, \.elements) }

  /// The error for a reply that violates the contract.
  var malformed: ClientError { .malformedAnswer(member) }

  private func read<Result>(_ index: Int, _ convert: (Value) -> Result?) throws(ClientError) -> Result {
    guard values.indices.contains(index), let result = convert(values[index]) else { throw malformed }
    return result
  }
}

/// The properties of an object, read as strictly as a ``Reply``.
struct Properties: Sendable {
  let values: [String: Value]

  /// Returns the value of a property.
  ///
  /// - Parameters:
  ///   - name: name of the property.
  ///   - convert: conversion that returns nil for a value of the wrong type.
  /// - Returns: the converted value.
  /// - Throws: ``ClientError/malformedAnswer(_:)`` if the property is missing or of the wrong type.
  func read<Result>(_ name: String, _ convert: (Value) -> Result?) throws(ClientError) -> Result {
    guard let result = values[name].flatMap(convert) else { throw .malformedAnswer(name) }
    return result
  }
}

extension Value {
  /// The dictionaries in an array; nil for any other value.
  var vardicts: [[String: Value]]? {
    guard let elements else { return nil }
    let vardicts = elements.compactMap(\.vardict)
    return vardicts.count == elements.count ? vardicts : nil
  }
}

/// A root coordinator that has ended, and whose outcome the daemon remembers.
public struct EndedFlow: Sendable, Hashable {
  /// The path that the root coordinator had.
  public var coordinator: ObjectPath
  /// The name of the flow.
  public var flow: String
  /// The token that the caller assigned, or nil if there is none.
  public var token: String?
  /// The name of the outcome in the contract: "finished", "cancelled" or "failed".
  public var outcome: String

  /// Creates an entry from the values that the daemon lists.
  public init(coordinator: ObjectPath, flow: String, token: String?, outcome: String) {
    self.coordinator = coordinator
    self.flow = flow
    self.token = token
    self.outcome = outcome
  }
}

extension ManagerProxy {
  /// Lists the root coordinators that have ended, oldest first.
  ///
  /// - Returns: the root coordinators; empty if the daemon is older and does not list them.
  /// - Throws: ``ClientError``.
  public func listEnded() async throws(ClientError) -> [EndedFlow] {
    let reply: Reply
    do {
      reply = try await call("ListEnded")
    } catch .failed(let error) where error.isStandard("UnknownMethod") {
      return []
    }
    var result: [EndedFlow] = []
    for element in try reply.elements(0) {
      guard let members = element.members, members.count == 4, let coordinator = members[0].objectPath,
        let flow = members[1].string, let token = members[2].string, let outcome = members[3].string
      else { throw reply.malformed }
      result.append(EndedFlow(coordinator: coordinator, flow: flow, token: token.isEmpty ? nil : token, outcome: outcome))
    }
    return result
  }
}
