import CoordinatorBus
import CoordinatorClient
import DBus
import Platform
import RendererKit
import TLS

/// The coordinator-web tool: finds or starts a flow tree, serves its pages, and prints their URL.
public struct WebTool: Sendable {
  /// The options of the server.
  public struct Options: Sendable {
    /// The address to listen on.
    public var place: Listener.Place
    /// The socket passed by the service manager, used instead of `place`.
    public var passed: PassedSocket?
    /// The origin that browsers use, if a proxy is in front of the server.
    public var origin: Origin?
    /// Whether to open the first page in the user's browser.
    public var isOpening: Bool
    /// The certificate for TLS; nil to serve plain HTTP.
    public var certificate: ServerCertificate?
    /// Whether to print each address as a line of JSON.
    public var isJSON: Bool
    /// The style of the text for a person at a terminal; nil if the output is not a terminal.
    public var terminal: TextStyle?
    /// Whether the user at the terminal is asked before an expired address is replaced.
    public var isAsking = false
    /// The look of the pages.
    public var look = WebLook()
    /// Whether users can leave, and when the flow restarts.
    public var policy = KioskPolicy.none

    /// Creates options with the given values.
    public init(
      place: Listener.Place, passed: PassedSocket? = nil, origin: Origin?, isOpening: Bool, certificate: ServerCertificate? = nil,
      isJSON: Bool = false, terminal: TextStyle? = nil
    ) {
      self.place = place
      self.passed = passed
      self.origin = origin
      self.isOpening = isOpening
      self.certificate = certificate
      self.isJSON = isJSON
      self.terminal = terminal
    }

    fileprivate var isOnNetwork: Bool { if case .network = place { true } else { false } }

    fileprivate var format: Announcer.Format {
      isJSON ? .json : terminal.map(Announcer.Format.terminal) ?? .bare
    }
  }

  private let session: ToolSession
  private let options: Options
  private let write: @Sendable (String) -> Void
  private let complain: @Sendable (String) -> Void

  /// Creates a tool.
  ///
  /// - Parameters:
  ///   - session: connection to the daemon.
  ///   - options: options of the server.
  ///   - write: closure that writes text for the user who started the server.
  ///   - complain: closure that writes messages that must not appear between the addresses.
  public init(
    session: ToolSession, options: Options, write: @escaping @Sendable (String) -> Void,
    complain: @escaping @Sendable (String) -> Void = StandardStreams.complain
  ) {
    self.session = session
    self.options = options
    self.write = write
    self.complain = complain
  }

  /// Serves until the task is cancelled or the connection to the bus was lost.
  ///
  /// - Parameters:
  ///   - target: flow to start, or flow tree; nil for all trees.
  ///   - assignments: input of a flow that is started.
  ///   - token: token of a flow that is started.
  ///   - link: link that was opened; browsers see its offer, and start the flow.
  /// - Throws: ``ToolFailure``.
  public func serve(
    _ target: String?, _ assignments: [Assignment], token: String?, link: String? = nil
  ) async throws(ToolFailure) {
    var scope = Scope.everything
    if let link {
      scope = .offer(OfferedFlow(try await session.offer(ofLink: link)))
    } else if let target {
      let (tree, input) = try await session.opened(target, assignments, token: token)
      // A flow started here can be started again; a tree that was already running belongs to another client.
      scope = if let input { .flow(ServedFlow(target, input: input, tree: tree)) } else { .tree(tree) }
    } else if !assignments.isEmpty || token != nil {
      throw ToolFailure(["input and a token require a flow to start"], exit: .usage)
    }
    if options.policy != .none {
      guard case .flow = scope else {
        throw ToolFailure(["--kiosk, --restart-after and --idle-reset require a flow to start"], exit: .usage)
      }
    }
    let listener: Listener
    do {
      listener =
        if let passed = options.passed {
          try Listener(passed, isOnNetwork: options.isOnNetwork)
        } else {
          try Listener(options.place)
        }
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
    let names = names(of: listener)
    if isCutOff(names) {
      let lines = ["this machine has no address on a network: connect it, by cable or Wi-Fi"]
      // A program that reads addresses as JSON waits for one that other machines can use.
      guard !options.isJSON else { throw ToolFailure([lines[0] + ", and try again"]) }
      complain("coordinator-web: \(lines[0])\n")
    }
    let security = try options.certificate?.load(for: names)
    let told = Lock<CertificateFingerprint?>(nil)
    // Returns the fingerprint of the certificate, which is renewed first if necessary.
    let fingerprint: @Sendable () -> CertificateFingerprint? = { [options, complain] in
      do throws(ToolFailure) {
        try options.certificate?.renew(for: self.names(of: listener))
      } catch {
        complain("coordinator-web: \(error.lines.joined(separator: "\n"))\n")
      }
      let current = security?.current.fingerprint
      let isNews = told.withLock { told in
        defer { told = current }
        return told != current
      }
      if isNews, options.format == .bare, let current { complain("Certificate: SHA-256 \(current)\n") }
      return current
    }
    let site = Site(
      daemon: session.daemon, scope: scope, origins: origins(of: listener), isConnected: { !isCutOff(self.names(of: listener)) },
      isOnNetwork: options.isOnNetwork, isReachable: options.origin != nil, fingerprint: fingerprint()?.description,
      look: options.look,
      policy: options.policy,
      announce: { [write] entry in
        announcer(fingerprint()).announce(entry)
        if let complaint = opener?.open(entry.address) { write(complaint + "\n") }
      })
    let server = WebServer(listener: listener, security: security, handler: site.answer)
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
        // The sequence ends when the connection to the bus was lost.
        for await _ in changes {}
        return Task.isCancelled ? nil : ToolFailure(["the connection to the bus was lost"], exit: .noDaemon)
      }
      let ask = options.isAsking ? NextAddress(announcer: announcer(nil)).ask : nil
      let renewal = Task { await site.renewEntries(ask) }
      defer { renewal.cancel() }
      let keeping = Task { await site.keep() }
      defer { keeping.cancel() }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if let failure { throw failure }
  }

  /// Returns the changes of the daemon's name owner. The sequence serves only to detect the loss of the bus.
  private func ownerChanges() async throws(ToolFailure) -> SignalSequence {
    let rule = MatchRule(
      sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged",
      arguments: [0: Contract.busName])
    do {
      return try await session.daemon.connection.signals(matching: rule)
    } catch {
      throw ToolFailure(["\(error)"], exit: .noDaemon)
    }
  }

  private func announcer(_ fingerprint: CertificateFingerprint?) -> Announcer {
    Announcer(format: options.format, isOnNetwork: options.isOnNetwork, fingerprint: fingerprint, write: write)
  }

  /// Returns the addresses and names under which browsers currently address a listener.
  private func names(of listener: Listener) -> NetworkNames {
    guard case .network(let address, _) = listener.place else { return NetworkNames(addresses: [], names: ["localhost"]) }
    var names = NetworkNames.current
    if let address { names.addresses = [address] } else { names.addresses += IPAddress.loopback.map { [$0] } ?? [] }
    return names
  }

  /// Returns whether other machines should reach the server, but this machine is not on any network at the moment.
  private func isCutOff(_ names: NetworkNames) -> Bool {
    guard case .network(address: nil, _) = options.place, options.origin == nil else { return false }
    return names.addresses.allSatisfy(\.isLocal)
  }

  /// Returns the origins under which browsers currently address a listener. A machine may get its address while the server
  /// runs.
  private func origins(of listener: Listener) -> [Origin] {
    if let origin = options.origin { return [origin] }
    switch listener.place {
    // Not `localhost`: browsers try ::1 first, where another user's program could listen on the same port.
    case .loopback(let port): return [options.certificate == nil ? .loopback(port: port) : .secureLoopback(port: port)]
    case .socket: return [.localhost(port: 80)]
    case .network(_, let port): return Origin.network(port: port, names: names(of: listener))
    }
  }
}
