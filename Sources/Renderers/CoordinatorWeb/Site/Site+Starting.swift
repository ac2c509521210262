import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Platform
import RendererKit

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
    var answer = FormAnswer(visit.form, fields: known.withLock { $0[flow]?.input?.fields } ?? [])
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
    known.withLock { $0[flow] = listing }
    return listing
  }

  // MARK: Starting again

  /// Starts the next run of the served flow. If it has already been started, redirects to it.
  func startAgain(after tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard Self.reach == .everything, case .flow(let flow) = scope else { return notFound }
    if let path = path(of: tree), try await hasEnded(tree) {
      try await flow.startNext(after: path, of: daemon, language: try await language(of: visit))
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
    sessions.withLock { $0.updateDrafts(of: visit.session.cookie) { $0.keep(draft, in: tree) } }
  }
}

extension String {
  /// Whether the string has the form of a ``Token``.
  var isTokenOfOurs: Bool { utf8.count == 32 && utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter } }
}
