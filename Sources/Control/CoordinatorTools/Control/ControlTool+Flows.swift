import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Suggestions

/// Listing, starting and running flows.
extension ControlTool {
  /// Prints the flows that can be started.
  ///
  /// - Throws: ``ToolFailure``.
  public func flows() async throws(ToolFailure) {
    let flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
      .sorted { $0.name < $1.name }
    output.say(flows.flatMap { $0.lines(style: output.style) }, json: .array(flows.map(JSONValue.init)))
  }

  /// Starts a flow as a root coordinator, and prints its name.
  ///
  /// - Throws: ``ToolFailure``, with an exit code of its own if the token belongs to a flow that has ended.
  public func start(_ flow: String, _ assignments: [Assignment], options: Options) async throws(ToolFailure) {
    let input = try await self.input(for: flow, assignments)
    let end = await end(of: options.token)
    let started = try await explaining(flow) { () async throws(ClientError) in
      try await daemon.manager.startFlow(flow, input: input, options: options)
    }
    let name = TreeSelector.name(started.coordinator)
    output.say(
      [name], json: ["coordinator": .string(started.coordinator.string), "router": .string(started.router.string)])
    if let end { throw ToolFailure(ended: name, end) }
  }

  /// Returns how the flow with a token has ended; nil if it is running, or if the daemon knows no such flow.
  func end(of token: String?) async -> FlowEnd? {
    guard let token, let path = try? Contract.flowPath(root: token) else { return nil }
    return (try? await daemon.manager.outcome(of: path)) ?? nil
  }

  /// Starts a flow as a child, and prints its path.
  ///
  /// - Parameters:
  ///   - flow: name of the flow.
  ///   - assignments: input of the flow.
  ///   - parent: coordinator to start it under; nil for the coordinator of the top screen in the only active tree.
  ///   - options: options of the call; `style` and `request` apply.
  /// - Throws: ``ToolFailure``.
  public func startChild(
    _ flow: String, _ assignments: [Assignment], under parent: String?, options: Options
  ) async throws(ToolFailure) {
    let input = try await self.input(for: flow, assignments)
    let path: ObjectPath
    if let parent { path = try await coordinator(parent) } else { path = try await topCoordinator() }
    let child = try await explaining(flow) { () async throws(ClientError) in
      try await daemon.coordinator(path).startChild(flow, input: input, options: options)
    }
    let name = String(child.string.dropFirst(Contract.flowsPath.string.count + 1))
    output.say([name], json: ["coordinator": .string(child.string)])
  }

  /// Starts a flow, waits until it ends, and prints its result.
  ///
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ flow: String, _ assignments: [Assignment], options: Options
  ) async throws(ToolFailure) -> ToolExit {
    let input = try await self.input(for: flow, assignments)
    let end = try await explaining(flow) { () async throws(ClientError) in
      try await daemon.manager.runFlow(flow, input: input, options: options)
    }
    output.say(end.resultLines, json: JSONValue(end))
    return end.exitCode
  }

  /// Retries the flow trees that are held, and prints those that are still held.
  ///
  /// - Returns: the exit code; an error if any tree is still held.
  /// - Throws: ``ToolFailure``.
  public func retryHeld() async throws(ToolFailure) -> ToolExit {
    let (takenUp, held) = try await doing { () async throws(ClientError) in try await daemon.manager.retryHeld() }
    let left = held == 0 ? [] : try await nodes().filter { $0.held != nil }
    let summary = "\(takenUp) taken up, \(held) held still"
    output.say(
      [summary] + left.map { "  \($0.path.elements.last.map(String.init)?.printable ?? ""): \($0.held?.printable ?? "")" },
      json: ["takenUp": .integer(Int64(takenUp)), "held": .array(left.map(\.json))])
    return held == 0 ? .success : .error
  }

  private func topCoordinator() async throws(ToolFailure) -> ObjectPath {
    let root = try await root(nil)
    return try await doing { () async throws(ClientError) in try await window(of: root).top?.coordinator ?? root }
  }

  private func input(for flow: String, _ assignments: [Assignment]) async throws(ToolFailure) -> [String: JSONValue] {
    guard !assignments.isEmpty else { return [:] }
    let flows = try await doing { () async throws(ClientError) in try await daemon.manager.listFlows() }
    return try object(assignments, flows.first { $0.name == flow }?.input)
  }

  /// Performs a call that starts a flow. If the daemon knows no flow of that name, the failure lists the ones it knows.
  func explaining<Result: Sendable>(
    _ flow: String, _ body: () async throws(ClientError) -> Result
  ) async throws(ToolFailure) -> Result {
    do {
      return try await body()
    } catch {
      guard case .refused(.unknownFlow) = error else { throw ToolFailure(error) }
      throw ToolFailure(error, advice: Self.advice(flow, among: (try? await daemon.manager.listFlows()) ?? []))
    }
  }

  /// Returns suggestions for the name of a flow that does not exist.
  static func advice(_ flow: String, among flows: [FlowListing]) -> [String] {
    let names = flows.map(\.name).sorted()
    return Suggestion.best(for: flow, among: names).map { ["  did you mean '\($0.printable)'?"] }
      ?? ["  there is: \(names.joined(separator: ", ").printable)"]
  }

}

extension FlowListing {
  /// Returns a description of the flow for users: its title, its summary and its input.
  func lines(style: TextStyle) -> [String] {
    let dash = style.isUnicode ? "–" : "-"
    let heading = [title, summary].filter { !$0.isEmpty }.map(\.printable).joined(separator: ". ")
    let fields = (input?.fields ?? []).map { field in
      let presence = field.isRequired ? "" : ", optional"
      return "    \(field.name.printable)=\(FieldText.kind(of: field.schema).printable)\(presence)"
        + (field.schema.title.map { "  \($0.printable)" } ?? "")
    }
    return [style.strong(name.printable) + (heading.isEmpty ? "" : " \(dash) \(heading)")] + fields
  }
}

extension FlowEnd {
  /// The lines of the result for scripts; if there is no result, lines for users that say why.
  var resultLines: [String] {
    guard case .finished(let result) = self else { return lines }
    return result.sorted { $0.key < $1.key }.map { "\($0.key.printable): \($0.value.plainText)" }
  }
}

extension JSONValue {
  /// Encodes a flow that can be started.
  init(_ flow: FlowListing) {
    var object: [String: JSONValue] = [
      "name": .string(flow.name), "title": .string(flow.title), "summary": .string(flow.summary),
      "rehearsable": .boolean(flow.isRehearsable),
    ]
    object["input"] = flow.input?.json
    self = .object(object)
  }
}
