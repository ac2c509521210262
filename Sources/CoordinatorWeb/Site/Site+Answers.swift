import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// What changes something: answers, and the way back.
extension Site {
  /// Takes the answer to a screen.
  func take(_ id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard let seen = visit.form["seen"].flatMap(UInt64.init) else { return HTTPResponse(.badRequest) }
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let screen = await watch.wait()?.window?.screens.first(where: { $0.id == id }) else {
        return moved(tree, .answeredElsewhere(kind: nil))
      }
      return try await take(visit, on: screen, seen: seen, of: tree, watch)
    }
    return response ?? notFound
  }

  private func take(
    _ visit: Visit, on screen: PresentedScreen, seen: UInt64, of tree: String, _ watch: TreeWatch
  ) async throws(ClientError) -> HTTPResponse {
    let id = screen.id
    let answer = FormAnswer(visit.form, fields: screen.screen.form?.fields ?? [])
    var draft = Draft(screen: id, typed: answer.typed)
    do {
      let revision = try await watch.answering { () async throws(ClientError) in
        try await delegate(visit.form, answer, on: screen, seen: seen)
      }
      keep(nil, in: tree, visit)
      await watch.wait { $0.shows(revision) }
      return .seeOther(links.tree(tree))
    } catch .refused(.staleScreen(_, .changed)) {
      keep(draft, in: tree, visit)
      await watch.wait { $0.window.map { $0.revision > seen } ?? false }
      return moved(tree, .changed)
    } catch .refused(let refusal) {
      return await refused(refusal, draft, watch, tree, visit)
    } catch .failed(let error) where error.isStandard("InvalidArgs") || error.isStandard("UnknownObject") {
      // The page was used a second time, for another answer; or its coordinator has ended.
      return moved(tree, await watch.wait { $0.window?.top?.id != id }?.answered ?? .answeredElsewhere(kind: nil))
    } catch .failed(let error) where error.isStandard("LimitsExceeded") {
      draft.problem = error.message
    } catch .noDaemon {
      draft.problem = "coordinatord is not running at the moment. Try again in a while."
    }
    keep(draft, in: tree, visit)
    return .seeOther(links.screen(id, of: tree))
  }

  private func delegate(
    _ form: FormBody, _ answer: FormAnswer, on screen: PresentedScreen, seen: UInt64
  ) async throws(ClientError) -> UInt64 {
    let event: String
    let payload: [String: JSONValue]
    if let item = form["item"] {
      event = Event.select
      payload = ["id": .string(item)]
    } else {
      event = form["event"] ?? ""
      let isSubmission = screen.screen.actions.contains { $0.id == event && $0.role == .primary }
      payload = isSubmission ? answer.payload : [:]
    }
    return try await daemon.coordinator(screen.coordinator).delegate(
      screen: screen.id, event: event, payload: payload, options: Options(request: request(of: form), seen: seen))
  }

  /// What makes an answer that is sent twice count once: somebody pressed a button twice.
  private func request(of form: FormBody) -> String? { form["request"].flatMap { $0.isTokenOfOurs ? $0 : nil } }

  /// Shows the screen again with what is wrong; or where the flow is, if it has gone on.
  private func refused(
    _ refusal: ContractError, _ draft: Draft, _ watch: TreeWatch, _ tree: String, _ visit: Visit
  ) async -> HTTPResponse {
    let id = draft.screen
    var draft = draft
    switch refusal {
    case .staleScreen, .unknownScreen:
      return moved(tree, await watch.wait { $0.window?.top?.id != id }?.answered ?? .answeredElsewhere(kind: nil))
    case .flowFailed: return .seeOther(links.tree(tree))
    case .invalidPayload(_, let reasons): draft.reasons = reasons
    default: draft.problem = refusal.message
    }
    keep(draft, in: tree, visit)
    return .seeOther(links.screen(draft.screen, of: tree))
  }

  private func moved(_ tree: String, _ notice: Notice) -> HTTPResponse {
    .seeOther(Links.adding(notice, to: links.tree(tree)))
  }

  /// Keeps what is being typed, so that it is still there after a reload, and in all other renderers.
  func keepDraft(of id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let form = visit.form
    let isKept = try await looking(at: tree) { watch throws(ClientError) -> Bool? in
      guard let top = await watch.wait()?.window?.top, top.id == id, let path = path(of: tree),
        let router = try? Contract.routerPath(of: path)
      else { return nil }
      let answer = FormAnswer(form, fields: top.screen.form?.fields ?? [])
      let draft = answer.draft(replacing: form.all("touched"), in: top.draft)
      do throws(ClientError) {
        try await daemon.router(router).saveDraft(screen: id, values: draft)
      } catch .refused, .failed {
        // It is too large, or the screen is gone: then there is nothing to keep.
        return nil
      }
      await watch.drafted(draft, on: id, by: form["page"] ?? "")
      sessions.withLock { sessions in
        sessions.updateDrafts(of: visit.session.cookie) { drafts in
          guard var draft = drafts.draft(of: id, in: tree) else { return }
          draft.typed = answer.typed
          drafts.keep(draft, in: tree)
        }
      }
      return true
    }
    return isKept == nil ? notFound : HTTPResponse(.noContent)
  }

  // MARK: Back

  func back(from id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      try await back(from: id, of: tree, watch, request: request(of: visit.form)) ?? .seeOther(links.tree(tree))
    }
    return response ?? notFound
  }

  /// Goes back, screen by screen, until one of them is on top.
  func goBack(to id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let seen = visit.form["top"].flatMap(UInt64.init)
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let window = await watch.wait()?.window, let index = window.screens.firstIndex(where: { $0.id == id }),
        window.top?.id == seen
      else { return moved(tree, .answeredElsewhere(kind: nil)) }
      // No more often than there were screens above it, whatever else happens meanwhile.
      for screen in window.screens[(index + 1)...].reversed() {
        if let refusal = try await back(from: screen.id, of: tree, watch, request: nil) { return refusal }
      }
      return .seeOther(links.tree(tree))
    }
    return response ?? notFound
  }

  /// Leaves the screen on top.
  ///
  /// - Returns: What to answer if that did not work; nil if it did.
  private func back(
    from id: UInt64, of tree: String, _ watch: TreeWatch, request: String?
  ) async throws(ClientError) -> HTTPResponse? {
    guard let path = path(of: tree), let router = try? Contract.routerPath(of: path) else { return notFound }
    do {
      let revision = try await watch.answering { () async throws(ClientError) in
        try await daemon.router(router).back(screen: id, options: Options(request: request))
      }
      await watch.wait { $0.shows(revision) }
      return nil
    } catch .refused(.staleScreen), .refused(.unknownScreen) {
      return moved(tree, await watch.wait { $0.window?.top?.id != id }?.answered ?? .answeredElsewhere(kind: nil))
    } catch .refused(.flowFailed) {
      return .seeOther(links.tree(tree))
    } catch .refused(.notDismissable) {
      return moved(tree, .heldBack)
    } catch .refused(let refusal) {
      return .page(PlainPage.failed(links, refusal.message).html, status: .ok)
    } catch .failed(let error) where error.isStandard("UnknownObject") {
      return .seeOther(links.tree(tree))
    }
  }
}
