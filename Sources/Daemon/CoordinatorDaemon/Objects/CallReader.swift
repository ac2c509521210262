import CoordinatorBus
import CoordinatorKit
import DBus

/// Reads method calls: decodes the arguments that a client sent into a request to a flow tree, to the registry of flows,
/// or to the table of clients.
///
/// A pure value without access to trees or the bus.
struct CallReader: Sendable {
  /// The maximum size of an input or payload, in bytes on the wire.
  var maxPayload: UInt32

  /// A hundred years in microseconds, so that adding a timeout to the time never overflows.
  private static let longestTimeout: UInt64 = 100 * 365 * 86_400 * 1_000_000

  // MARK: Calls on a tree

  /// Reads a call on a coordinator or on the router of a tree.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - arguments: the arguments, of the types in the contract or of the types that ``ContractObject`` accepts in
  ///     their place.
  ///   - path: the path of the called coordinator; not used for the methods of a router.
  /// - Returns: the request.
  /// - Throws: `UnknownMethod`, `InvalidArgs` or `LimitsExceeded`.
  func treeRequest(
    _ member: String, _ arguments: [Value], at path: CoordinatorPath
  ) throws(DBusError) -> TreeRequest {
    var arguments = Arguments(arguments)
    switch member {
    case "Delegate": return try delegate(&arguments, path)
    case "Dismiss":
      let isAnimated = try arguments.boolean()
      let options = try Options(arguments.value(), allowing: [.request, .way, .force])
      return TreeRequest(.dismiss(path, animated: isAnimated, isForced: options.force == true), options)
    case "StartChild": return try startChild(&arguments, path)
    case "Back":
      let screen = try arguments.unsigned()
      let options = try Options(arguments.value(), allowing: [.request, .way])
      return TreeRequest(.back(ScreenID(screen)), options)
    case "SaveDraft":
      let screen = try arguments.unsigned()
      let values = try arguments.value()
      _ = try Options(arguments.value(), allowing: [])
      return TreeRequest(.saveDraft(ScreenID(screen), try object(from: values)))
    case "ProposeLanguage":
      let name = try arguments.name()
      guard let language = try? LanguageTag(name) else {
        throw .invalidArgs("the language is not the name of a language, such as de or pt-BR")
      }
      return TreeRequest(.proposeLanguage(language), try Options(arguments.value(), allowing: [.request, .way]))
    default: throw .unknownMethod("no method \(member)")
    }
  }

  private func delegate(_ arguments: inout Arguments, _ path: CoordinatorPath) throws(DBusError) -> TreeRequest {
    let screen = try arguments.unsigned()
    let event = try arguments.name()
    let payload = try arguments.value()
    let options = try Options(arguments.value(), allowing: [.request, .seen, .way])
    let id = screen == 0 ? nil : ScreenID(screen)
    let call = TreeCall.delegate(path, screen: id, event: event, payload: try object(from: payload), seen: options.seen)
    return TreeRequest(call, options)
  }

  private func startChild(_ arguments: inout Arguments, _ path: CoordinatorPath) throws(DBusError) -> TreeRequest {
    let flow = try arguments.name()
    let input = try arguments.value()
    let options = try Options(arguments.value(), allowing: [.request, .style, .way])
    let router: RouterKind = options.style == .modal ? .modal : .navigation
    return TreeRequest(.startChild(path, flow: flow, input: try object(from: input), router: router), options)
  }

  // MARK: Request keys

  /// Reads a call with a request key, if the call is valid. Errors are left to the object, which reads the call again.
  ///
  /// - Parameters:
  ///   - interface: the interface of the call; nil if the client named none.
  ///   - member: the method.
  ///   - arguments: the arguments.
  ///   - path: the path of the called object.
  /// - Returns: the request; nil for a call that has no request key, cannot have one, or is invalid.
  func keyedRequest(
    _ interface: String?, _ member: String, _ arguments: [Value], at path: CoordinatorPath
  ) -> TreeRequest? {
    guard Self.hasRequestKey(arguments) else { return nil }
    let called = path.isRouter ? Contract.router : Contract.coordinator
    guard interface ?? called.name == called.name, let method = called.method(member), arguments.count == method.inputs.count,
      let request = try? treeRequest(member, arguments, at: path), request.key != nil
    else { return nil }
    return request
  }

  /// A fast check: options are the last argument, and most calls have none.
  static func hasRequestKey(_ arguments: [Value]) -> Bool {
    guard case .dictionary(_, _, let options)? = arguments.last else { return false }
    return options.contains { $0.key == .string(Options.Key.request.rawValue) }
  }

  // MARK: Starting flows

  /// Reads `StartFlow` or `RunFlow`, except for the input, which may be large.
  ///
  /// - Parameters:
  ///   - kind: the method.
  ///   - arguments: the arguments.
  /// - Returns: the call.
  /// - Throws: `InvalidArgs` or `LimitsExceeded`.
  func startCall(_ kind: StartWaiter.Kind, _ arguments: [Value]) throws(DBusError) -> StartCall {
    var arguments = Arguments(arguments)
    let flow = try arguments.name()
    let input = try arguments.value()
    let options = try Options(arguments.value(), allowing: [.token, .lifetime, .timeout, .fresh, .language, .proposals, .way])
    return StartCall(kind: kind, flow: flow, input: input, options: options)
  }

  /// Reads the rest of `StartFlow` or `RunFlow`.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - sender: the caller's unique name.
  ///   - client: the client whose limits apply to the flow.
  ///   - now: the current time.
  /// - Returns: the request.
  /// - Throws: `InvalidArgs` or `LimitsExceeded`.
  func startRequest(
    _ call: StartCall, sender: String, client: String, now: Moment
  ) throws(DBusError) -> StartRequest {
    let defaultLifetime: Options.Lifetime = call.kind == .ended ? .caller : .daemon
    let input = try object(from: call.input)
    return StartRequest(
      flow: call.flow, input: input, token: call.options.token, sender: sender, client: client,
      endsWithCaller: (call.options.lifetime ?? defaultLifetime) == .caller,
      timeout: call.options.timeout.map { FlowTimeout(min($0, Self.longestTimeout), from: now) },
      isFresh: call.options.fresh == true, language: call.options.language, takesProposals: call.options.proposals == true,
      way: call.options.way,
      digest: StartRequest.digest(flow: call.flow, input: input))
  }

  // MARK: Other calls

  /// Reads `GetOutcome` and `GetEnding`.
  ///
  /// - Parameter arguments: the arguments.
  /// - Returns: the object path that the client asked about, and the coordinator that it names; nil if it names none.
  /// - Throws: `InvalidArgs`.
  func outcomeRequest(
    _ arguments: [Value]
  ) throws(DBusError) -> (path: ObjectPath, coordinator: CoordinatorPath?) {
    var arguments = Arguments(arguments)
    let path = try arguments.objectPath()
    return (path, CoordinatorPath(objectPath: path))
  }

  /// Reads `Forget`.
  ///
  /// - Parameter arguments: the arguments.
  /// - Returns: the token.
  /// - Throws: `InvalidArgs`.
  func forgetRequest(_ arguments: [Value]) throws(DBusError) -> String {
    var arguments = Arguments(arguments)
    return try Options.token(arguments.value())
  }

  /// Reads `Attach`. Unknown capabilities are ignored, because newer renderers may declare them.
  ///
  /// - Parameter arguments: the arguments.
  /// - Returns: the capabilities that the renderer declares.
  /// - Throws: `InvalidArgs`.
  func capabilities(_ arguments: [Value]) throws(DBusError) -> RendererCapabilities {
    var arguments = Arguments(arguments)
    guard let capabilities = try arguments.value().vardict else { throw .invalidArgs("the capabilities are not a dictionary") }
    return try RendererCapabilities(capabilities)
  }

  // MARK: Values

  private func object(from value: Value) throws(DBusError) -> [String: JSONValue] {
    guard value.wireSize <= Int(maxPayload) else {
      throw .limitsExceeded("an input or payload must not be larger than \(maxPayload) bytes")
    }
    do {
      return try JSONValue.object(from: value)
    } catch {
      throw error.dbusError
    }
  }
}

/// A client's request to a flow tree, read from a method call.
struct TreeRequest: Sendable, Hashable {
  let call: TreeCall
  /// The request key, which makes the call safe to repeat; nil if the client gave none.
  let key: String?
  /// The way in which the call came, as the client says; nil if it does not say so.
  let way: String?

  /// Whether the call forces the end of a coordinator, which only administrators may.
  var isForced: Bool { if case .dismiss(_, _, isForced: true) = call { true } else { false } }

  init(_ call: TreeCall, key: String? = nil) {
    self.init(call, Options(request: key))
  }

  init(_ call: TreeCall, _ options: Options) {
    self.call = call
    (key, way) = (options.request, options.way)
  }
}

/// A call of `StartFlow` or `RunFlow` whose name and options have been read. Its input, which may be large, is read when
/// the call is admitted, and not each time the call is held back.
struct StartCall: Sendable {
  /// The method, which determines when to reply, and the default lifetime.
  let kind: StartWaiter.Kind
  /// The name of the flow.
  let flow: String
  let input: Value
  let options: Options

  /// The data that must have been restored before the daemon can decide whether to start the flow.
  var need: RestorationNeed { options.token.map { .root($0) } ?? .names }
}

/// Determines which restored trees a call needs after a restart.
extension CallReader {
  /// Returns what must have been restored before an object can take a call. `StartFlow` and `RunFlow` are decided
  /// when their options are read; see ``StartCall/need``.
  ///
  /// - Parameters:
  ///   - member: the method.
  ///   - path: the path of the called object.
  ///   - arguments: the arguments.
  /// - Returns: the need.
  func need(of member: String, at path: ObjectPath, _ arguments: [Value]) -> RestorationNeed {
    if path == Contract.flowsPath { return .everything }
    guard path == Contract.rootPath else { return need(of: CoordinatorPath(objectPath: path)) }
    switch member {
    case "ListFlows", "ListFlowsAfter", "StartFlow", "RunFlow": return .nothing
    // A call that cannot be read is refused, regardless of the restored data.
    case "GetOutcome", "GetEnding": return need(of: (try? outcomeRequest(arguments))?.coordinator)
    default: return .everything
    }
  }

  private func need(of path: CoordinatorPath?) -> RestorationNeed {
    path.map { .root(String($0.root)) } ?? .nothing
  }
}

/// A client's request to start a flow, made with `StartFlow` or `RunFlow`.
struct StartRequest: Sendable, Hashable {
  var flow: String
  var input: [String: JSONValue]
  var token: String?
  /// The client's unique name.
  var sender: String
  /// The client whose limits apply: the unique name or, on the system bus, the user.
  var client: String
  /// Whether the flow is dismissed when its caller leaves the bus.
  var endsWithCaller: Bool
  /// When the flow is dismissed; nil for never.
  var timeout: FlowTimeout?
  /// Whether to start the flow again if the token's flow has ended, instead of repeating its outcome.
  var isFresh = false
  /// The language in which screens are shown at first; nil for English.
  var language: LanguageTag?
  /// Whether a client may propose another language.
  var takesProposals = false
  /// The way in which the call came, as the client says; nil if it does not say so.
  var way: String?
  /// A digest of the flow and the input, compared as JSON. Options are not included.
  var digest: Digest

  /// Returns whether another request has the same token and asks for the same flow with the same input. Compares the
  /// tokens, not the name: a flow that was started without a token has none.
  func isSame(as other: StartRequest) -> Bool { token == other.token && other.isFor(digest) }

  /// Returns whether the request matches a digest, which may be of a kind that an older version stored.
  func isFor(_ asked: Digest) -> Bool {
    asked == digest || asked.kind != digest.kind && asked == Self.digest(flow: flow, input: input, as: asked.kind)
  }

  /// Returns the ``digest`` of a flow and an input.
  static func digest(flow: String, input: [String: JSONValue], as kind: Digest.Kind = .sha256) -> Digest {
    Digest(of: [flow, JSONValue.object(input).canonicalText], as: kind)
  }
}

/// Reads the arguments of a call one by one, as the types that the contract gives them.
struct Arguments {
  private let values: [Value]
  private var index = 0
  /// The maximum length of a name in bytes, which is the same for all names on the bus.
  private static let longestName = 255

  init(_ values: [Value]) { self.values = values }

  mutating func value() throws(DBusError) -> Value {
    guard index < values.count else { throw .invalidArgs("an argument is missing") }
    defer { index += 1 }
    return values[index]
  }

  /// Reads the name of a flow or an event.
  mutating func name() throws(DBusError) -> String {
    guard let name = try value().string else { throw .invalidArgs("an argument is not a string") }
    guard name.utf8.count <= Self.longestName else {
      throw .limitsExceeded("a name must not be longer than \(Self.longestName) bytes")
    }
    return name
  }

  mutating func unsigned() throws(DBusError) -> UInt64 {
    guard let number = try value().uint64 else { throw .invalidArgs("an argument is not a non-negative integer") }
    return number
  }

  mutating func boolean() throws(DBusError) -> Bool {
    guard let boolean = try value().bool else { throw .invalidArgs("an argument is not a boolean") }
    return boolean
  }

  mutating func objectPath() throws(DBusError) -> ObjectPath {
    guard let path = try value().objectPath else { throw .invalidArgs("an argument is not an object path") }
    return path
  }
}
