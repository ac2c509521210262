import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import Languages
import QRCodes
import RendererKit
import TLS

/// Starts flows.
extension Site {
  /// Returns the key of an input's draft, which cannot be the name of a tree.
  private static func draftName(_ flow: String) -> String { "new:" + flow }

  /// Shows the form for a flow's input (GET), or starts the flow (POST).
  func input(of flow: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard !visit.request.isSafe else {
      // The offer's address leads to the tree that was started from it.
      if case .offer(let offered) = scope, offered.tree != nil { return .seeOther(firstPage) }
      guard mayStart(flow), let listing = try await listing(of: flow) else { return notFound }
      let draft = visit.session.drafts.draft(of: 0, in: Self.draftName(flow))
      let language = try await language(of: visit)
      var page = InputPage(links: links, token: visit.token, flow: listing, language: language, draft: draft)
      if case .offer(let offered) = scope { page.offered = offered.offer.input }
      return .page(page.html)
    }
    return try await start(flow, visit)
  }

  func start(_ flow: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard mayStart(flow) else { return notFound }
    var answer = FormAnswer(visit.form, fields: known[flow]?.input?.fields ?? [])
    do {
      guard let listing = try await listing(of: flow) else { return notFound }
      let fields = listing.input?.fields ?? []
      answer = FormAnswer(visit.form, fields: fields)
      if let change = RowChange(visit.form, of: fields) {
        let place = self.change(change, answer, of: fields, on: 0, in: Self.draftName(flow), visit)
        return .seeOther(Links.adding(place, to: links.input(of: flow)))
      }
      var request = visit.form["request"]
      if case .offer(let offered) = scope { request = offered.request.text }
      let token = Self.token(for: flow, request: request)
      let options = Options(token: token, language: try await language(of: visit))
      let started = try await daemon.manager.startFlow(flow, input: answer.payload, options: options)
      if case .offer(let offered) = scope { offered.begin(started.coordinator) }
      keep(nil, in: Self.draftName(flow), visit)
      return .seeOther(links.tree(TreeSelector.name(started.coordinator)))
    } catch let error where error.isAway {
      // The retried page then shows the draft again.
      keep(Draft(screen: 0, typed: answer.typed), in: Self.draftName(flow), visit)
      throw error
    } catch .refused(let refusal) {
      let problem = refusal.reasons.isEmpty ? refusal.sentence : nil
      keep(
        Draft(screen: 0, typed: answer.typedEntries, reasons: refusal.reasons, problem: problem), in: Self.draftName(flow), visit)
      return .seeOther(links.input(of: flow))
    }
  }

  /// Returns whether browsers may start a flow.
  private func mayStart(_ flow: String) -> Bool {
    if Self.reach == .everything, case .offer(let offered) = scope { offered.mayStart(flow) } else { !links.isForOneFlow }
  }

  /// Returns a flow that can be started; nil if there is none of this name.
  private func listing(of flow: String) async throws(ClientError) -> FlowListing? {
    let listing = try await daemon.manager.listFlows().first { $0.name.bytes.equals(flow) }
    known.keep(listing, of: flow)
    return listing
  }

  // MARK: Starting again

  /// Starts the next run of the served flow. If it has already been started, redirects to it.
  func startAgain(after tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard Self.reach == .everything, case .flow(let flow) = scope else { return notFound }
    if let path = path(of: tree), try await hasEnded(tree) {
      try await flow.startNext(after: path, of: daemon, language: try await language(of: visit), isForNextVisitor: false)
      await keeper?.goOn()
    }
    return .seeOther(links.tree(TreeSelector.name(flow.tree)))
  }

  private func hasEnded(_ tree: String) async throws(ClientError) -> Bool {
    let view = try await looking(at: tree) { watch throws(ClientError) in await watch.wait() }
    guard case .ended = view?.state else { return false }
    return true
  }

  /// Returns the token of the flow tree to start. It is derived from the form's request key, so that pressing a button
  /// twice starts one flow.
  static func token(for flow: String, request: String?) -> String? {
    guard let request, request.isTokenOfOurs else { return nil }
    let name = flow.utf8.prefix(48).map { $0.isASCIIDigit || $0.isASCIILetter ? $0 : UInt8(ascii: "_") }
    return String(decoding: name, as: UTF8.self) + "_" + request.prefix(8)
  }

  /// Adds or removes a row of a list, and keeps all other typed text. Nothing is sent to the daemon.
  ///
  /// - Returns: the id of the element where the user continues.
  func change(
    _ change: RowChange, _ answer: FormAnswer, of fields: [Field], on screen: UInt64, in tree: String, _ visit: Visit
  ) -> String? {
    var draft = Draft(screen: screen, typed: answer.typed)
    draft.reasons = visit.session.drafts.draft(of: screen, in: tree)?.reasons ?? [:]
    let place = change.apply(to: &draft, of: fields)
    keep(draft, in: tree, visit)
    return place
  }

  /// Stores a draft; nil removes it.
  func keep(_ draft: Draft?, in tree: String, _ visit: Visit) {
    access.updateDrafts(of: visit.session.cookie) { $0.keep(draft, in: tree) }
  }
}

extension String {
  /// Whether the string has the form of a ``Token``.
  var isTokenOfOurs: Bool { utf8.count == 32 && utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter } }
}

extension ClientError {
  /// Whether to retry the page: the daemon was away, left before it had replied, or did not reply in time.
  var isAway: Bool { isDaemonGone || self == .connection(.timedOut) }
}

/// Serves the pages of flows that have ended.
extension Site {
  /// Returns the flow of an ended tree, which may have ended before any browser requested it, or before this server was
  /// started; nil if the daemon no longer knows it.
  private func flow(of tree: String) async -> FlowListing? {
    if case .flow(let flow) = scope { return await daemon.flow(named: flow.name) }
    guard let path = path(of: tree) else { return nil }
    return await daemon.flow(ofEnded: path)
  }

  /// Creates the page of a tree that has ended. Optional information is omitted if it cannot be read.
  func endPage(of tree: String, _ end: FlowEnd, _ ending: Endings.Ending, _ visit: Visit) async -> HTML {
    let listing = await flow(of: tree)
    var language = ending.language
    if language == nil { language = (try? await self.language(of: visit)) ?? nil }
    // The next run is not for a browser that was admitted to this one.
    let left = Self.reach == .everything ? await keeper?.restartLeft : nil
    let make = { [self, language] in
      var page = EndPage(links: links, tree: tree, summary: EndSummary(end, of: listing, review: ending.review))
      page.flow = listing.map { $0.title(in: language) }.flatMap { $0.text.isEmpty ? nil : $0 }
      page.again = again(listing, visit)
      page.restart = left.map(Restart.init)
      page.isForNextPerson = policy != .none
      return page.html
    }
    return ending.language.map { languages.speaking($0, make) } ?? make()
  }

  private func again(_ listing: FlowListing?, _ visit: Visit) -> EndPage.Again? {
    guard Self.reach == .everything else { return nil }
    switch scope {
    case .flow: return .nextRun(visit.token)
    case .tree, .offer: return nil
    case .everything:
      guard let listing else { return nil }
      return listing.input?.fields.isEmpty ?? true ? .start(flow: listing.name, visit.token) : .input(flow: listing.name)
    }
  }
}

/// Selects the languages of browsers.
extension Site {
  /// Returns the language of the words on pages that show no flow tree; nil for English.
  func language(of request: HTTPRequest) -> Translations.Language? {
    let accepted = request.headers.acceptedLanguages
    guard !accepted.isEmpty else { return languages.own }
    return accepted.best(of: languages.offered, preferring: ownLanguage).flatMap(languages.language(for:))
  }

  /// Creates a page in the language of a flow tree.
  ///
  /// - Parameters:
  ///   - window: window of the tree.
  ///   - body: closure that creates the page.
  /// - Returns: the page.
  func speaking<Page>(as window: MirroredWindow, _ body: () -> Page) -> Page { languages.speaking(window.language, body) }

  /// Runs a closure in the language of a watched tree; until the tree has a window, in the language of the browser.
  func speaking<Words: Sendable>(as watch: TreeWatch, _ body: () -> Words) async -> Words {
    guard let language = await watch.view?.language else { return body() }
    return languages.speaking(language, body)
  }

  /// Returns the language in which a browser's user reads flows: the first one of the browser's languages that the daemon has.
  /// A browser that requests no language gets the language of the server's environment.
  ///
  /// - Returns: the language; nil for English, and if the daemon has no languages and does not know the option.
  func language(of visit: Visit) async throws(ClientError) -> LanguageTag? {
    let offered = try await daemon.manager.languages()
    guard !offered.isEmpty else { return nil }
    let accepted = visit.request.headers.acceptedLanguages
    return accepted.isEmpty ? ownLanguage : accepted.best(of: offered, preferring: ownLanguage)
  }

  /// Shows a run of the served flow in the language of the browser that looks at it first. The daemon ignores the proposal once
  /// a user has chosen a language or has answered, in any renderer.
  func proposeLanguage(of tree: String, _ visit: Visit) async throws(ClientError) {
    guard Self.reach == .everything, case .flow(let flow) = scope, let path = path(of: tree), !flow.hasBeenSeen(path),
      let router = try? Contract.routerPath(of: path), !(try await daemon.manager.languages().isEmpty)
    else { return }
    do throws(ClientError) {
      try await daemon.router(router).proposeLanguage(try await language(of: visit) ?? .english)
      let language = try await daemon.router(router).language()
      _ = try await looking(at: tree) { watch throws(ClientError) in await watch.wait { $0.language == language } }
    } catch .refused, .failed {
      // An older daemon knows no proposals; the tree may have ended, or is held.
    }
    flow.note(seen: path)
  }
}

/// Restarts flows automatically.
extension Site {
  /// Keeps the served flow running until the task is cancelled. Returns at once if it does not restart automatically.
  public func keep() async { await keeper?.run() }

  /// Creates the keeper of the served flow; nil if it does not restart automatically.
  static func keeper(
    _ policy: KioskPolicy, of scope: Scope, trees: Trees, daemon: DaemonClient, language: LanguageTag?
  ) -> KioskKeeper? {
    guard case .flow(let flow) = scope, policy.isRestarting else { return nil }
    return KioskKeeper(
      policy, of: flow, trees: trees,
      start: { try await flow.startNext(after: $0, of: daemon, language: language, isForNextVisitor: true) },
      cancel: { _ = try await daemon.coordinator($0).dismiss() })
  }

  /// Records that the user is present, as does every request that is not safe (POST).
  func stayAlive(in tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard path(of: tree) != nil else { return unseen(tree) }
    return visit.form["quiet"] == nil ? .seeOther(links.tree(tree)) : HTTPResponse(.noContent)
  }

  /// Returns the question whether the user is still present; nil if the flow has no time limit without input.
  func idleMarkup(of tree: String, _ visit: Visit) async -> IdleMarkup? {
    guard let keeper, policy.idleTime != nil else { return nil }
    return IdleMarkup(links: links, tree: tree, token: visit.token, left: await keeper.idleLeft)
  }
}

/// Shows the entry addresses to the user who started the server.
struct EntryAnnouncer: Sendable {
  /// The form in which addresses are shown.
  enum Format: Sendable, Hashable {
    /// Only the addresses, one on each line, for scripts.
    case bare
    /// Each address as a line of JSON, for programs that show it themselves.
    case json
    /// For a person at a terminal.
    case terminal(TextStyle)
  }

  let format: Format
  /// Whether other machines reach the server.
  let isOnNetwork: Bool
  /// The fingerprint of the server's certificate; nil without TLS.
  let fingerprint: CertificateFingerprint?
  let write: @Sendable (String) -> Void

  /// Shows an address.
  func announce(_ entry: EntryAddress) {
    switch format {
    case .bare: write(entry.address + "\n")
    case .json: write(json(entry).canonicalText + "\n")
    case .terminal(let style): write(lines(entry, style).map { $0 + "\n" }.joined())
    }
  }

  private func json(_ entry: EntryAddress) -> JSONValue {
    var object: [String: JSONValue] = [
      "address": .string(entry.address), "code": .string(entry.codeText), "because": .string(entry.occasion.rawValue),
    ]
    object["fingerprint"] = fingerprint.map { .string($0.description) }
    object["seconds"] = entry.lifetime.map { .integer($0.components.seconds) }
    return .object(object)
  }

  private func lines(_ entry: EntryAddress, _ style: TextStyle) -> [String] {
    let how =
      isOnNetwork ? "Scan the code with a phone, or open this address:" : "Open this address in a browser on this machine:"
    var lines = [what(entry.occasion), how].compactMap(\.self) + ["", "  " + style.strong(entry.address), ""]
    if isOnNetwork { lines += code(entry.codeText, style) }
    guard entry.occasion == .start else { return lines }
    return lines + reach + ["Ctrl-C stops the server; the flows continue.", ""]
  }

  /// Returns what happened to the last address; nil if there was none.
  private func what(_ occasion: EntryAddress.Occasion) -> String? {
    switch occasion {
    case .start: nil
    case .use: "A browser has used the address. Here is one for the next browser."
    case .expiry: "Here is a new address."
    }
  }

  /// Reports that the address has expired, and how to get another one.
  func announceExpiry() { write("The address has expired. Press Enter for a new one.\n") }

  /// The lines that explain from where the server can be reached.
  private var reach: [String] {
    guard isOnNetwork else {
      return [
        "It lets one browser in, and only from this machine.",
        "For phones and other machines, start coordinator-web --lan.",
      ]
    }
    var lines = [
      "Every machine on the network reaches the server, but only who has this address",
      "gets in: one browser, within ten minutes.",
    ]
    if let fingerprint {
      // In two lines, because it is wider than many terminals.
      let bytes = fingerprint.description.bytes.split(separator: ":")
      lines += [
        "A browser may warn of a certificate that it does not know. This is the right one", "(SHA-256):", "",
        "  " + bytes.prefix(16).joined(separator: ":"), "  " + bytes.dropFirst(16).joined(separator: ":"),
      ]
    }
    return lines + [""]
  }

  private func code(_ text: String, _ style: TextStyle) -> [String] {
    guard style.isUnicode, let code = QRCode(text) else { return [] }
    // White on black, regardless of the terminal's colors.
    let rows = code.halfBlocks(margin: 2).map { style.isColoured ? "  \u{1B}[97;40m\($0)\u{1B}[0m" : "  " + $0 }
    return rows + [""]
  }
}
