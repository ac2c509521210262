import CoordinatorBus
import CoordinatorClient
import DBus
import Glibc
import Languages
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

    fileprivate var format: EntryAnnouncer.Format {
      isJSON ? .json : terminal.map(EntryAnnouncer.Format.terminal) ?? .bare
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
    var policy = options.policy
    if let link {
      scope = .offer(OfferedFlow(try await session.offer(ofLink: link)))
    } else if let target, let kiosk = try KioskName(options.policy, token: token, flow: target, place: "web") {
      let taken = try await session.takeUp(kiosk, target, assignments, proposals: true)
      scope = .flow(
        FlowRuns(
          target, input: taken.input, tree: taken.tree, kiosk: kiosk, isUsed: taken.isUsed, complain: complain))
      for notice in taken.notices(options.policy, of: target) { complain("coordinator-web: \(notice)\n") }
      policy = taken.policy(policy)
    } else if let target {
      let (tree, input) = try await session.opened(target, assignments, token: token, proposals: true)
      // A flow started here can be started again; a tree that was already running belongs to another client.
      scope = if let input { .flow(FlowRuns(target, input: input, tree: tree)) } else { .tree(tree) }
    } else if !assignments.isEmpty || token != nil {
      throw ToolFailure(["input and a token require a flow to start"], exit: .usage)
    }
    if policy != .none {
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
    try await serve(scope, policy, on: listener)
  }

  private func serve(_ scope: Scope, _ policy: KioskPolicy, on listener: Listener) async throws(ToolFailure) {
    let opener = options.isOpening ? BrowserOpener() : nil
    defer { opener?.forget() }
    let changes = try await ownerChanges()
    let names = names(of: listener)
    if isCutOff(names) { try complainOfMissingNetwork() }
    let security = try options.certificate?.load(for: names)
    let fingerprint = fingerprints(of: security, on: listener)
    let site = Site(
      daemon: session.daemon, scope: scope, origins: origins(of: listener), isConnected: { !isCutOff(self.names(of: listener)) },
      isOnNetwork: options.isOnNetwork, isReachable: options.origin != nil, fingerprint: fingerprint()?.description,
      look: options.look,
      policy: policy,
      announce: { [write] entry in
        announcer(fingerprint()).announce(entry)
        if let complaint = opener?.open(entry.address) { write(complaint + "\n") }
      })
    let server = WebServer(listener: listener, security: security, handler: site.answer)
    if let failure = await run(server, site, until: changes) { throw failure }
  }

  /// Tells the user who started the server that no other machine can reach it.
  ///
  /// - Throws: ``ToolFailure`` if a program reads the addresses as JSON: it waits for one that other machines can use.
  private func complainOfMissingNetwork() throws(ToolFailure) {
    let line = "this machine has no address on a network: connect it, by cable or Wi-Fi"
    guard !options.isJSON else { throw ToolFailure([line + ", and try again"]) }
    complain("coordinator-web: \(line)\n")
  }

  /// Returns a function that returns the fingerprint of the current certificate, which it renews first if necessary. Among bare
  /// addresses, it announces each fingerprint once.
  private func fingerprints(
    of security: TLSSource?, on listener: Listener
  ) -> @Sendable () -> CertificateFingerprint? {
    let told = Lock<CertificateFingerprint?>(nil)
    return { [options, complain] in
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
  }

  /// Runs the server, renews its entry addresses, and restarts the flow of a kiosk, until the task is cancelled.
  ///
  /// - Returns: the failure that ended the server: its own, or the loss of the bus; nil for none.
  private func run(_ server: WebServer, _ site: Site, until changes: SignalSequence) async -> ToolFailure? {
    await withTaskGroup(of: ToolFailure?.self) { group in
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
      let renewal = Task { await site.access.renewEntries(ask) }
      defer { renewal.cancel() }
      let keeping = Task { await site.keep() }
      defer { keeping.cancel() }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
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

  private func announcer(_ fingerprint: CertificateFingerprint?) -> EntryAnnouncer {
    EntryAnnouncer(format: options.format, isOnNetwork: options.isOnNetwork, fingerprint: fingerprint, write: write)
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

/// Asks the user at the terminal whether another address is needed, so that an unused server does not fill the terminal with
/// addresses.
struct NextAddress: Sendable {
  let announcer: EntryAnnouncer

  /// Creates a question.
  ///
  /// - Parameter announcer: announcer that shows the question.
  init(announcer: EntryAnnouncer) { self.announcer = announcer }

  /// Waits for Enter.
  ///
  /// - Returns: false if no user can press it any more.
  @Sendable func ask() async -> Bool {
    guard Self.isInForeground else { return true }
    // If the process is put into the background while it waits, reading from the terminal would stop it. With the signal
    // ignored, the read fails instead.
    signal(SIGTTIN, SIG_IGN)
    // Keys that were pressed before the question do not answer it.
    tcflush(STDIN_FILENO, TCIFLUSH)
    announcer.announceExpiry()
    return await withCheckedContinuation { continuation in
      let isStarted = Thread.start(name: "enter") { continuation.resume(returning: Self.readLine()) }
      if !isStarted { continuation.resume(returning: false) }
    }
  }

  private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  /// Reads a line of the terminal, or until another process group has the terminal. Blocks.
  private static func readLine() -> Bool {
    var line = [UInt8](repeating: 0, count: 1024)
    var count: Int
    repeat { count = read(STDIN_FILENO, &line, line.count) } while count < 0 && errno == EINTR
    return count > 0 || (count < 0 && !isInForeground)
  }
}

/// Opens a URL in the browser of the user who started the server, once. Safe to use from any thread.
///
/// The URL is passed in a file with mode 0600, not on the command line, which all users of the machine can read.
final class BrowserOpener: Sendable {
  private let file = Lock<String?>(nil)

  /// Opens a URL. Every further call only removes the file.
  ///
  /// - Parameter address: URL to open.
  /// - Returns: a message for the user on failure, otherwise nil.
  func open(_ address: String) -> String? {
    guard file.withLock({ $0 == nil }) else {
      // The first URL has been used, so the file is no longer needed.
      forget()
      return nil
    }
    let directory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp"
    let path = "\(directory)/coordinator-web-\(Token().text).html"
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return "coordinator-web: cannot write to \(directory); open the address yourself" }
    let page = Array(Self.page(leadingTo: address).markup.utf8)
    let count = write(descriptor, page, page.count)
    close(descriptor)
    file.withLock { $0 = path }
    guard count == page.count, Self.start("xdg-open", path) else {
      return "coordinator-web: xdg-open could not be started; open the address yourself"
    }
    return nil
  }

  /// Removes the file.
  func forget() {
    file.withLock { path in
      if let old = path, !old.isEmpty { unlink(old) }
      if path != nil { path = "" }
    }
  }

  private static func page(leadingTo address: String) -> HTML {
    .document(
      tag("html", Attribute("lang", (Translation.current?.tag ?? .english).bcp47)) {
        tag("head") {
          void("meta", Attribute("charset", "utf-8"))
          void("meta", Attribute("http-equiv", "refresh"), Attribute("content", "0; url=\(address)"))
          tag("title") { "…" }
        }
        tag("body") { tag("p") { tag("a", Attribute("href", address)) { Text("Continue") } } }
      })
  }

  /// Starts a program without waiting for it.
  private static func start(_ program: String, _ argument: String) -> Bool {
    let process = try? ProcessStart.start(
      program, [program, argument].map([CChar].init(argument:)), [.ownGroup, .searched]
    ) { actions in
      // The browser must not write into the output, whose first line is the URL.
      for number in [STDOUT_FILENO, STDERR_FILENO] { actions.open(number, "/dev/null", O_WRONLY) }
    }
    return process != nil
  }
}
