import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Suggestions

/// Showing the top screen, and acting on it.
extension ControlTool {
  /// Prints the top screen of a flow tree; nil means the only active tree.
  ///
  /// - Throws: ``ToolFailure``.
  public func show(_ tree: String?) async throws(ToolFailure) {
    let root = try await root(tree)
    let window = try await doing { () async throws(ClientError) in try await self.window(of: root) }
    let renderer = LinearRenderer(style: output.style, showsIDs: true)
    let back = LeavingStep(in: window).sentence.map { ["", output.style.quiet($0)] } ?? []
    output.say(
      window.top.map { renderer.lines(for: $0.screen, draft: $0.draft) + back } ?? Self.nothing(in: window),
      json: JSONValue(window))
  }

  /// Delegates an event to the coordinator of the top screen, or to the root if there is no screen.
  ///
  /// - Parameters:
  ///   - event: name of the event.
  ///   - assignments: payload of the event, typed by the schema of the screen.
  ///   - tree: flow tree; nil for the only active one.
  ///   - request: request key, which makes the call safe to repeat.
  /// - Throws: ``ToolFailure``.
  public func send(
    _ event: String, _ assignments: [Assignment], to tree: String?, request: String?
  ) async throws(ToolFailure) {
    let root = try await root(tree)
    let window = try await doing { () async throws(ClientError) in try await self.window(of: root) }
    let top = window.top
    let payload = try object(assignments, top?.screen.form?.schema)
    let revision: UInt64
    do {
      revision = try await daemon.coordinator(top?.coordinator ?? root).delegate(
        screen: top?.id ?? 0, event: event, payload: payload,
        options: Options(request: request, seen: top == nil ? nil : window.revision))
    } catch {
      guard case .refused(.unknownEvent) = error, let top else { throw ToolFailure(error) }
      throw ToolFailure(error, advice: Self.events(of: top.screen, meant: event))
    }
    try await report(revision, root)
  }

  /// Goes back from the top screen of a flow tree; nil means the only active tree. The request key makes the call safe
  /// to repeat.
  ///
  /// - Throws: ``ToolFailure``.
  public func back(_ tree: String?, request: String?) async throws(ToolFailure) {
    let root = try await root(tree)
    let window = try await doing { () async throws(ClientError) in try await self.window(of: root) }
    guard let top = window.top else {
      throw ToolFailure(window.held == nil ? ["there is no screen to go back from"] : Self.nothing(in: window))
    }
    let revision = try await doing { () async throws(ClientError) in
      guard let router = try? Contract.routerPath(of: root) else { throw .malformedAnswer(root.string) }
      return try await daemon.router(router).back(screen: top.id, options: Options(request: request))
    }
    try await report(revision, root)
  }

  /// Ends a coordinator and its children; nil means the root of the only active tree. The request key makes the call
  /// safe to repeat.
  ///
  /// - Throws: ``ToolFailure``.
  public func dismiss(_ coordinator: String?, request: String?) async throws(ToolFailure) {
    let path = try await self.coordinator(coordinator)
    let revision = try await doing { () async throws(ClientError) in
      try await daemon.coordinator(path).dismiss(options: Options(request: request))
    }
    try await report(revision, Contract.root(of: path) ?? path)
  }

  /// Prints the events of a flow tree until it ends; nil means the only active tree.
  ///
  /// - Returns: the exit code.
  /// - Throws: ``ToolFailure``.
  public func watch(_ tree: String?) async throws(ToolFailure) -> ToolExit {
    let root = try await root(tree)
    return try await doing { () async throws(ClientError) in
      let mirror = try await WindowMirror.attach(to: root, of: daemon, kind: "watch")
      for try await event in mirror.events {
        output.say(lines(for: event), json: JSONValue(event))
        if case .ended(let end) = event { return end.exitCode }
      }
      return .success
    }
  }

  /// Prints the top screen after a call, or how the flow has ended.
  private func report(_ revision: UInt64, _ root: ObjectPath) async throws(ToolFailure) {
    let number = JSONValue(count: revision)
    do {
      let window = try await window(of: root)
      output.say(
        window.top.map { [summary(of: $0)] } ?? Self.nothing(in: window),
        json: ["revision": number, "window": JSONValue(window)])
    } catch {
      guard error.isUnknownObject else { throw ToolFailure(error) }
      let end = try await doing { () async throws(ClientError) in try await daemon.manager.outcome(of: root) } ?? .lost
      output.say(end.lines, json: ["revision": number, "outcome": .string(end.name), "result": .object(end.result)])
    }
  }

  private func lines(for event: WindowEvent) -> [String] {
    switch event {
    case .window(let window): ["\(window.revision)  " + (window.top.map(summary(of:)) ?? window.heldSentence ?? "nothing")]
    case .progress(let screen, let progress):
      ["screen \(screen): " + LinearRenderer(style: output.style).line(for: progress)]
    case .drafted(let screen, let draft):
      draft.isEmpty
        ? ["screen \(screen): nothing is typed and not sent"]
        : ["screen \(screen): typed: \(draft.keys.sorted().joined(separator: ", "))"]
    case .answered(let answer): ["screen \(answer.screen): " + answer.sentence]
    case .daemonLost: ["coordinatord has left the bus"]
    case .daemonBack: ["coordinatord is back"]
    case .ended(let end): end.lines
    }
  }

  /// Returns the reason why there is no screen, and advice.
  private static func nothing(in window: MirroredWindow) -> [String] {
    window.heldSentence.map { [$0] + ClientError.heldAdvice } ?? ["There is no screen at the moment."]
  }

  private func summary(of top: PresentedScreen) -> String {
    let dash = output.style.isUnicode ? "–" : "-"
    return "\(top.screen.name.printable) \(dash) \(top.screen.title.printable)"
  }

  /// Returns the events that the screen accepts, or the one that was probably meant.
  private static func events(of screen: Screen, meant event: String) -> [String] {
    let events = screen.actions.map(\.id) + (screen.items == nil ? [] : ["select id=ITEM"])
    if let best = Suggestion.best(for: event, among: events) { return ["  did you mean '\(best.printable)'?"] }
    return ["  the screen '\(screen.name.printable)' takes: \(events.joined(separator: ", ").printable)"]
  }
}
