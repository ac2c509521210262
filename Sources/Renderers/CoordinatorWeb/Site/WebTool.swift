import CoordinatorBus
import CoordinatorClient
import CoordinatorTools
import DBus
import ServiceManager

/// What coordinator-web does: finds or starts a flow tree, serves its pages, and says where they are.
public struct WebTool: Sendable {
  /// Where to serve, and to whom.
  public struct Options: Sendable {
    /// Where to listen.
    public var place: Listener.Place
    /// The socket that the service manager has opened for it, in the place of one of its own.
    public var passed: PassedSocket?
    /// The address that browsers use when something stands between them and this server.
    public var origin: Origin?
    /// Whether to show the first page in the browser of who has started the server.
    public var isOpening: Bool

    /// Options with every part given.
    public init(place: Listener.Place, passed: PassedSocket? = nil, origin: Origin?, isOpening: Bool) {
      self.place = place
      self.passed = passed
      self.origin = origin
      self.isOpening = isOpening
    }
  }

  private let tool: ControlTool
  private let options: Options
  private let write: @Sendable (String) -> Void

  /// A tool.
  ///
  /// - Parameters:
  ///   - tool: The daemon, and what finds flows there.
  ///   - options: Where to serve.
  ///   - write: Writes a line for whoever has started the server.
  public init(tool: ControlTool, options: Options, write: @escaping @Sendable (String) -> Void) {
    self.tool = tool
    self.options = options
    self.write = write
  }

  /// Serves until it is cancelled or the bus is lost.
  ///
  /// - Parameters:
  ///   - target: A flow to start, or a flow tree; nil for all of them.
  ///   - assignments: The input of a flow that is started.
  ///   - token: The token of a flow that is started.
  /// - Throws: `ToolFailure`.
  public func serve(_ target: String?, _ assignments: [Assignment], token: String?) async throws(ToolFailure) {
    var scope = Scope.everything
    if let target {
      let (tree, input) = try await tool.opened(target, assignments, token: token)
      // What was started here can be started again; what was running is somebody else's.
      scope = if let input { .flow(ServedFlow(target, input: input, tree: tree)) } else { .tree(tree) }
    } else if !assignments.isEmpty || token != nil {
      throw ToolFailure(["an input and a token need a flow to start"], exit: .usage)
    }
    let listener: Listener
    do {
      listener = if let passed = options.passed { try Listener(passed) } else { try Listener(options.place) }
    } catch {
      throw ToolFailure([error.description])
    }
    defer { listener.close() }
    try await serve(scope, on: listener)
  }

  private func serve(_ scope: Scope, on listener: Listener) async throws(ToolFailure) {
    let opener = options.isOpening ? BrowserOpener() : nil
    defer { opener?.forget() }
    let changes = try await ownerChanges()
    let site = Site(
      daemon: tool.daemon, scope: scope, origins: origins(of: listener),
      announce: { [write] address in
        write(address + "\n")
        if let complaint = opener?.open(address) { write(complaint + "\n") }
      })
    let server = WebServer(listener: listener, handler: site.answer)
    let failure: ToolFailure? = await withTaskGroup(of: ToolFailure?.self) { group in
      group.addTask {
        do throws(Listener.Failure) {
          try await server.run()
          return nil
        } catch {
          return ToolFailure([error.description])
        }
      }
      group.addTask {
        // They end when the connection to the bus is lost.
        for await _ in changes {}
        return Task.isCancelled ? nil : ToolFailure(["the connection to the bus is lost"], exit: .noDaemon)
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let failure { throw failure }
  }

  /// The comings and goings of the daemon: nothing happens there while nothing happens.
  private func ownerChanges() async throws(ToolFailure) -> SignalSequence {
    let rule = MatchRule(
      sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      arguments: [0: Contract.busName])
    do {
      return try await tool.daemon.connection.signals(matching: rule)
    } catch {
      throw ToolFailure(["\(error)"], exit: .noDaemon)
    }
  }

  private func origins(of listener: Listener) -> [Origin] {
    if let origin = options.origin { return [origin] }
    switch listener.place {
    // Not `localhost`: browsers try ::1 first, where another user's program could listen on the same port.
    case .loopback(let port): return [.loopback(port: port)]
    case .socket: return [.localhost(port: 80)]
    }
  }
}
