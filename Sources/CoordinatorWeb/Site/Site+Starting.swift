import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import CoordinatorTools

/// Starting flows.
extension Site {
  /// What drafts of inputs are kept under; no tree is called that.
  private static func draftName(_ flow: String) -> String { "new:" + flow }

  /// Shows the form for a flow's input, or takes it.
  func input(of flow: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard !visit.request.isSafe else {
      guard scope == .everything, let listing = try await daemon.manager.listFlows().first(where: { $0.name == flow }) else {
        return notFound
      }
      let draft = visit.session.drafts.draft(of: 0, in: Self.draftName(flow))
      return .page(InputPage(links: links, token: visit.token, flow: listing, draft: draft).html)
    }
    return try await start(flow, visit)
  }

  func start(_ flow: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard scope == .everything, let listing = try await daemon.manager.listFlows().first(where: { $0.name == flow }) else {
      return notFound
    }
    let answer = FormAnswer(visit.form, fields: listing.input?.fields ?? [])
    do {
      let token = Self.token(for: flow, request: visit.form["request"])
      let started = try await daemon.manager.startFlow(flow, input: answer.payload, options: Options(token: token))
      keep(nil, in: Self.draftName(flow), visit)
      return .seeOther(links.tree(TreeSelector.name(started.coordinator)))
    } catch .refused(let refusal) {
      let problem = refusal.reasons.isEmpty ? refusal.message : nil
      keep(
        Draft(screen: 0, typed: answer.typed, reasons: refusal.reasons, problem: problem), in: Self.draftName(flow), visit)
      return .seeOther(links.input(of: flow))
    }
  }

  /// What makes a flow that is started twice start once, since somebody pressed a button twice: a name for its tree.
  private static func token(for flow: String, request: String?) -> String? {
    guard let request, request.isTokenOfOurs else { return nil }
    let name = flow.utf8.prefix(48).map { $0.isDigit || $0.isLetter ? $0 : UInt8(ascii: "_") }
    return String(decoding: name, as: UTF8.self) + "_" + request.prefix(8)
  }

  /// Keeps what was typed; nil forgets it.
  func keep(_ draft: Draft?, in tree: String, _ visit: Visit) {
    sessions.withLock { $0.updateDrafts(of: visit.session.cookie) { $0.keep(draft, in: tree) } }
  }
}

extension String {
  /// Whether it can be one of our tokens.
  var isTokenOfOurs: Bool { utf8.count == 32 && utf8.allSatisfy { $0.isDigit || $0.isLetter } }
}
