import CoordinatorBus
import CoordinatorKit
import DBus
import Languages
import Platform

/// A proxy for the daemon's manager, which starts flows and reports how they ended.
public struct ManagerProxy: Sendable {
  let daemon: DaemonClient

  /// Starts a flow. Returns once its first screens are presented.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - input: input of the flow.
  ///   - options: options of the call; `token`, `lifetime`, `timeout` and `fresh` apply.
  /// - Returns: the paths of the root coordinator and of the tree's Router.
  /// - Throws: ``ClientError``.
  public func startFlow(
    _ flow: String, input: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> (coordinator: ObjectPath, router: ObjectPath) {
    let reply = try await start("StartFlow", flow, input, options, deadline: DaemonClient.handlerDeadline)
    return (try reply.path(0), try reply.path(1))
  }

  /// Starts a flow and waits until it ends. There is no timeout on the client side.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - input: input of the flow.
  ///   - options: options as for ``startFlow(_:input:options:)``. Without a lifetime, the flow is dismissed when this
  ///     connection closes.
  /// - Returns: the end of the flow. A flow that fails is not an error.
  /// - Throws: ``ClientError``.
  public func runFlow(
    _ flow: String, input: [String: JSONValue] = [:], options: Options = Options()
  ) async throws(ClientError) -> FlowEnd {
    let reply = try await start("RunFlow", flow, input, options, deadline: nil)
    guard let end = FlowEnd(outcome: try reply.text(0), result: try reply.object(1)) else { throw reply.malformed }
    return end
  }

  /// Returns how a coordinator ended.
  ///
  /// - Parameter coordinator: path of any coordinator.
  /// - Returns: the end, or nil while the coordinator is active.
  /// - Throws: ``ClientError``, for which ``ClientError/isUnknownObject`` is true if the daemon does not know the path,
  ///   or no longer knows it.
  public func outcome(of coordinator: ObjectPath) async throws(ClientError) -> FlowEnd? {
    let reply = try await call("GetOutcome", [.objectPath(coordinator)])
    let outcome = try reply.text(0)
    if outcome == "active" { return nil }
    guard let end = FlowEnd(outcome: outcome, result: try reply.object(1)) else { throw reply.malformed }
    return end
  }

  /// Returns the name of the flow of an ended root coordinator, while the daemon remembers it.
  ///
  /// - Parameter root: path of the root coordinator.
  /// - Returns: the name; nil if the daemon does not remember it, or is older than this method.
  /// - Throws: ``ClientError``.
  public func flow(ofEnded root: ObjectPath) async throws(ClientError) -> String? {
    do throws(ClientError) {
      let reply = try await call("GetEnding", [.objectPath(root)])
      guard let flow = try reply.object(0)["flow"]?.string else { throw reply.malformed }
      return flow
    } catch .failed(let error) where error.isStandard("UnknownObject") || error.isStandard("UnknownMethod") {
      return nil
    }
  }

  /// Lists the active root coordinators.
  ///
  /// - Returns: the root coordinators, in the order of the daemon's reply.
  /// - Throws: ``ClientError``.
  public func listActive() async throws(ClientError) -> [ActiveFlow] {
    let reply = try await call("ListActive")
    var result: [ActiveFlow] = []
    for element in try reply.elements(0) {
      guard let members = element.members, members.count == 4, let coordinator = members[0].objectPath,
        let flow = members[1].string, let token = members[2].string, let startedAt = members[3].uint64
      else { throw reply.malformed }
      result.append(
        ActiveFlow(coordinator: coordinator, flow: flow, token: token.isEmpty ? nil : token, startedAt: startedAt))
    }
    return result
  }

  /// Forgets how the flow of a token ended, so that the token starts a flow again.
  ///
  /// - Parameter token: the token.
  /// - Returns: whether there was something to forget.
  /// - Throws: ``ClientError``, for example `TokenInUse` if the flow has not ended.
  public func forget(_ token: String) async throws(ClientError) -> Bool {
    let reply = try await call("Forget", [.string(token)])
    guard let forgotten = reply.values.first?.bool else { throw reply.malformed }
    return forgotten
  }

  /// Retries the trees that are held.
  ///
  /// - Returns: the number of trees that were taken up, and the number of trees that are still held.
  /// - Throws: ``ClientError``.
  public func retryHeld() async throws(ClientError) -> (takenUp: UInt32, held: UInt32) {
    let reply = try await call("RetryHeld", deadline: nil)
    return (UInt32(clamping: try reply.number(0)), UInt32(clamping: try reply.number(1)))
  }

  /// Lists the flows that can be started, in several calls, so that a long list does not block other clients.
  ///
  /// - Returns: the flows, in the order of the daemon's reply.
  /// - Throws: ``ClientError``.
  public func listFlows() async throws(ClientError) -> [FlowListing] {
    var result: [FlowListing] = []
    var last = ""
    while true {
      let reply: Reply
      do throws(ClientError) {
        reply = try await call("ListFlowsAfter", [.string(last), .uint32(0)])
      } catch .failed(let error) where error.isStandard("UnknownMethod") {
        // The daemon is older than "flow-pages".
        return try Self.listings(await call("ListFlows"))
      }
      guard reply.values.count == 2, let hasMore = reply.values[1].bool else { throw reply.malformed }
      let part = try Self.listings(reply)
      result += part
      guard hasMore, let name = part.last?.name, !name.bytes.equals(last) else { return result }
      last = name
    }
  }

  private static func listings(_ reply: Reply) throws(ClientError) -> [FlowListing] {
    var result: [FlowListing] = []
    for vardict in try reply.vardicts(0) {
      guard let name = vardict["name"]?.string else { throw reply.malformed }
      func schema(_ key: String) -> Schema? {
        let json = vardict[key].flatMap { try? JSONValue(value: $0, depthLimit: .max) }
        return json.flatMap { try? Schema(json: $0) }
      }
      result.append(
        FlowListing(
          name: name, title: vardict["title"]?.string ?? "", summary: vardict["summary"]?.string ?? "",
          input: schema("input"), result: schema("result"), output: schema("output"),
          isRehearsable: vardict["rehearsable"]?.bool ?? false,
          isLeavable: vardict["leavable"]?.bool ?? true, isPart: vardict["part"]?.bool ?? false,
          provider: vardict["provider"]?.string,
          titles: vardict.translations("titles"),
          summaries: vardict.translations("summaries")))
    }
    return result
  }

  /// Lists the programs that serve flows, and the daemon itself.
  ///
  /// - Returns: the programs, in the order of the daemon's reply.
  /// - Throws: ``ClientError``.
  public func listProviders() async throws(ClientError) -> [ProviderListing] {
    let reply = try await call("ListProviders")
    var result: [ProviderListing] = []
    for vardict in try reply.vardicts(0) {
      guard let name = vardict["name"]?.string, let origin = vardict["origin"]?.string, let state = vardict["state"]?.string
      else { throw reply.malformed }
      func count(_ key: String) -> UInt32 { UInt32(clamping: vardict[key]?.uint64 ?? 0) }
      result.append(
        ProviderListing(
          name: name, origin: origin, state: state, title: vardict["title"]?.string,
          flows: vardict["flows"]?.elements?.compactMap(\.string) ?? [], live: count("live"), held: count("held"),
          problem: vardict["problem"]?.string, file: vardict["file"]?.string))
    }
    return result
  }

  /// Reads a coordinator's state as stored by the program that serves its flow.
  ///
  /// - Parameter coordinator: path of the coordinator.
  /// - Returns: the state, which only that program understands.
  /// - Throws: ``ClientError``.
  public func readState(_ coordinator: ObjectPath) async throws(ClientError) -> String {
    try await call("ReadState", [.objectPath(coordinator)]).text(0)
  }

  /// Reads the manager's properties: the daemon's version, its numbers and its limits.
  ///
  /// - Returns: the values by name.
  /// - Throws: ``ClientError``.
  public func status() async throws(ClientError) -> [String: Value] {
    try await daemon.properties(Contract.rootPath, Contract.managerInterface).values
  }

  /// Reads the languages that the flows are translated to.
  ///
  /// - Returns: the languages, in the order of the daemon's reply; empty if the daemon is older and has no languages.
  /// - Throws: ``ClientError``.
  public func languages() async throws(ClientError) -> [LanguageTag] {
    let languages: Value
    do {
      languages = try await daemon.property("Languages", Contract.rootPath, Contract.managerInterface)
    } catch .failed(let error) where error.isStandard("UnknownProperty") {
      return []
    }
    guard let elements = languages.elements else { throw .malformedAnswer("Languages") }
    return elements.compactMap { $0.members?.first?.string.flatMap { try? LanguageTag($0) } }
  }

  /// Starts a flow, in the client's language unless the options name one.
  private func start(
    _ member: String, _ flow: String, _ input: [String: JSONValue], _ options: Options, deadline: Duration?
  ) async throws(ClientError) -> Reply {
    let input = try daemon.value(of: input)
    return try await daemon.calling(with: options, speaks: true) { options throws(ClientError) in
      try await call(member, [.string(flow), input, options.value], deadline: deadline)
    }
  }

  func call(
    _ member: String, _ arguments: [Value] = [], deadline: Duration? = .seconds(25)
  ) async throws(ClientError) -> Reply {
    try await daemon.call(Contract.rootPath, Contract.managerInterface, member, arguments, deadline: deadline)
  }
}

extension [String: Value] {
  /// Returns the translations of a text by language; empty if there are none.
  fileprivate func translations(_ key: String) -> [LanguageTag: String] {
    var translations: [LanguageTag: String] = [:]
    for (name, text) in self[key]?.vardict ?? [:] {
      if let tag = try? LanguageTag(name), let text = text.string { translations[tag] = text }
    }
    return translations
  }
}

extension DaemonClient {
  /// Encodes an input or a payload for the bus.
  func value(of object: [String: JSONValue]) throws(ClientError) -> Value {
    do {
      return try .object(object)
    } catch {
      throw .failed(error.dbusError)
    }
  }
}

/// An active root coordinator.
public struct ActiveFlow: Sendable, Hashable {
  /// The path of the root coordinator.
  public var coordinator: ObjectPath
  /// The name of the flow.
  public var flow: String
  /// The token that the caller assigned, or nil if there is none.
  public var token: String?
  /// The start time, in microseconds since 1970.
  public var startedAt: UInt64

  /// Creates an entry from the values that the daemon lists.
  public init(coordinator: ObjectPath, flow: String, token: String?, startedAt: UInt64) {
    self.coordinator = coordinator
    self.flow = flow
    self.token = token
    self.startedAt = startedAt
  }
}

/// A program that serves flows, or the daemon itself.
public struct ProviderListing: Sendable, Hashable {
  /// Its bus name; "" if its file does not contain one.
  public var name: String
  /// The origin of the daemon's knowledge of it: "builtin", "file" or "registered".
  public var origin: String
  /// Its state: "running", "activatable", "away" or "failing".
  public var state: String
  /// Its title, for people; nil if no file contains one.
  public var title: String?
  /// The names of its flows.
  public var flows: [String]
  /// The number of live coordinators of these flows.
  public var live: UInt32
  /// The number of these that are held.
  public var held: UInt32
  /// The problem with it; nil if there is none.
  public var problem: String?
  /// The path of its file; nil if there is none.
  public var file: String?

  /// Creates a listing from the values that the daemon lists.
  public init(
    name: String, origin: String, state: String, title: String? = nil, flows: [String] = [], live: UInt32 = 0,
    held: UInt32 = 0, problem: String? = nil, file: String? = nil
  ) {
    self.name = name
    self.origin = origin
    self.state = state
    self.title = title
    self.flows = flows
    self.live = live
    self.held = held
    self.problem = problem
    self.file = file
  }
}
