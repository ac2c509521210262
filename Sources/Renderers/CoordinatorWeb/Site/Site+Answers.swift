import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus
import RendererKit

/// Handles the answers to screens.
extension Site {
  /// The maximum number of times that an answer is sent because its screen keeps being updated.
  private static let mostUpdates = 16

  /// Handles the answer to a screen.
  func take(_ id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard let seen = visit.form["seen"].flatMap(UInt64.init) else { return HTTPResponse(.badRequest) }
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let screen = await watch.wait()?.window?.screens.first(where: { $0.id == id }) else {
        return moved(tree, .answeredElsewhere(kind: nil))
      }
      return try await take(visit, on: screen, seen: seen, of: tree, watch)
    }
    return response ?? unseen(tree)
  }

  private func take(
    _ visit: Visit, on screen: PresentedScreen, seen: UInt64, of tree: String, _ watch: TreeWatch
  ) async throws(ClientError) -> HTTPResponse {
    let id = screen.id
    let choice = choice(of: visit, on: screen, in: tree)
    let fields = screen.screen.form?.fields ?? []
    let answer = FormAnswer(visit.form, fields: fields)
    if let look = ListLook(visit.form) { return self.look(look, choice, answer, on: screen, in: tree, visit) }
    if let change = RowChange(visit.form, of: fields) {
      let place = self.change(change, answer, of: fields, on: id, in: tree, visit)
      return .seeOther(Links.adding(place, to: links.screen(id, of: tree)))
    }
    var draft = Draft(of: answer, choice, on: screen)
    if let action = choice.unconfirmedAction(of: screen.screen) {
      return ask(about: action, choice, draft, on: screen, seen: seen, of: tree, visit)
    }
    // The page vouches only for the rows that were on it.
    if choice.isOfPart, choice.button == .items, !choice.holds(on: screen.screen) {
      keep(draft, in: tree, visit)
      return changed(id, of: tree, visit)
    }
    do {
      let revision = try await delegate(choice, visit.form, answer, on: screen, seen: seen, watch)
      let top = await watch.wait { $0.shows(revision) }?.window?.top
      // The answer remains readable while it is being checked.
      draft.stage = .sent
      draft.filledSecrets = answer.filledSecrets
      keep(top?.id == id && top?.screen.progress != nil ? draft : nil, in: tree, visit)
      return .seeOther(links.tree(tree))
    } catch .refused(.staleScreen(_, .changed)) {
      keep(draft, in: tree, visit)
      await watch.wait { $0.window.map { $0.revision > seen } ?? false }
      return changed(id, of: tree, visit)
    } catch .refused(let refusal) {
      return await refused(refusal, draft, watch, tree, visit)
    } catch .failed(let error) where error.isStandard("InvalidArgs") || error.isStandard("UnknownObject") {
      // UnknownObject: the coordinator has ended. InvalidArgs: the page was used a second time, for another answer.
      guard error.isStandard("UnknownObject") else {
        return .seeOther(Links.adding(.answeredBefore, to: links.screen(id, of: tree)))
      }
      return moved(tree, await watch.wait { $0.window?.top?.id != id }?.answered ?? .answeredElsewhere(kind: nil))
    } catch .failed(let error) where error.isStandard("LimitsExceeded") {
      draft.failure = await speaking(as: watch) { ClientError.failed(error).sentence }
    } catch let error where error.isAway {
      // If the daemon accepted it nevertheless, this screen is gone, and so is the draft.
      draft.stage = .undelivered
    }
    keep(draft, in: tree, visit)
    return .seeOther(path(of: id, in: tree, visit))
  }

  /// Asks the question of an action that was sent without a confirmation. Nothing is sent to the daemon.
  private func ask(
    about action: Action, _ choice: SentChoice, _ draft: Draft, on screen: PresentedScreen, seen: UInt64, of tree: String,
    _ visit: Visit
  ) -> HTTPResponse {
    var draft = draft
    guard choice.holds(on: screen.screen) else {
      keep(draft, in: tree, visit)
      return moved(tree, .changed)
    }
    let hasFields = screen.screen.form?.fields.isEmpty == false
    draft.asking = hasFields ? action.id : nil
    keep(draft, in: tree, visit)
    return .seeOther(
      hasFields
        ? links.screen(screen.id, of: tree)
        : links.asking(choice.basis, action.id, seen: seen, on: screen.id, of: tree))
  }

  /// Sends an answer. If the screen was updated but the basis of the answer is unchanged, sends it again for the
  /// current revision.
  private func delegate(
    _ choice: SentChoice, _ form: FormBody, _ answer: FormAnswer, on screen: PresentedScreen, seen: UInt64,
    _ watch: TreeWatch
  ) async throws(ClientError) -> UInt64 {
    let (event, payload) = choice.event(of: screen.screen, answer)
    var seen = seen
    for _ in 1..<Self.mostUpdates {
      do throws(ClientError) {
        return try await send(event, payload, on: screen, seen: seen, form, watch)
      } catch .refused(.staleScreen(let message, .changed)) {
        let view = await watch.wait { [seen] in $0.window.map { $0.revision > seen } ?? false }
        guard let window = view?.window, let current = window.screens.first(where: { $0.id == screen.id }),
          window.revision > seen, choice.holds(on: current.screen)
        else { throw .refused(.staleScreen(message: message, why: .changed)) }
        seen = window.revision
      }
    }
    return try await send(event, payload, on: screen, seen: seen, form, watch)
  }

  private func send(
    _ event: String, _ payload: [String: JSONValue], on screen: PresentedScreen, seen: UInt64, _ form: FormBody,
    _ watch: TreeWatch
  ) async throws(ClientError) -> UInt64 {
    try await watch.answering { () async throws(ClientError) in
      try await daemon.coordinator(screen.coordinator).delegate(
        screen: screen.id, event: event, payload: payload, options: Options(request: request(of: form), seen: seen))
    }
  }

  /// Returns the request key of the form, so that pressing a button twice counts once.
  func request(of form: FormBody) -> String? { form["request"].flatMap { $0.isTokenOfOurs ? $0 : nil } }

  /// Shows the screen again with its errors, or the current screen if the flow has continued.
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
    case .notStored: draft.failure = await speaking(as: watch) { refusal.sentence }
    default: draft.problem = await speaking(as: watch) { refusal.sentence }
    }
    keep(draft, in: tree, visit)
    return .seeOther(path(of: draft.screen, in: tree, visit))
  }

  func moved(_ tree: String, _ notice: PageNotice) -> HTTPResponse {
    .seeOther(Links.adding(notice, to: links.tree(tree)))
  }
}

/// Handles lists of which a page shows a part.
extension Site {
  /// Returns the choice that was sent, together with the rows that were checked before and had no box on the page.
  func choice(of visit: Visit, on screen: PresentedScreen, in tree: String) -> SentChoice {
    let choice = SentChoice(visit.form)
    guard choice.isOfPart else { return choice }
    let kept = visit.session.drafts.draft(of: screen.id, in: tree)?.checked
    return choice.including(kept ?? CheckedRows(screen.screen.itemsChosenAtFirst, on: screen.screen))
  }

  /// Keeps the typed text and the checked rows, and shows another part of the list. Nothing is sent to the daemon.
  func look(
    _ look: ListLook, _ choice: SentChoice, _ answer: FormAnswer, on screen: PresentedScreen, in tree: String, _ visit: Visit
  ) -> HTTPResponse {
    if let count = screen.screen.choosing?.count {
      var draft = visit.session.drafts.draft(of: screen.id, in: tree) ?? Draft(screen: screen.id)
      draft.checked = choice.checked
      if screen.screen.form != nil { draft.typed = answer.typed }
      if count.contains(choice.checked.count) {
        for key in ListMarkup.keys { draft.reasons[key] = nil }
      }
      keep(draft, in: tree, visit)
    }
    let path = ListLook.url(of: look.view(visit.form), at: links.screen(screen.id, of: tree))
    return .seeOther(Links.adding("filter", to: path))
  }

  /// Returns the path of a screen with the part of its list that the submitted page showed.
  func path(of id: UInt64, in tree: String, _ visit: Visit) -> String {
    ListLook.url(of: ListLook.view(visit.form), at: links.screen(id, of: tree))
  }

  /// Shows the current screen with a notice that it has changed.
  func changed(_ id: UInt64, of tree: String, _ visit: Visit) -> HTTPResponse {
    let view = ListLook.view(visit.form).query
    let query = view.isEmpty ? "" : "\(view)&\(Links.listName)=\(id)"
    return .seeOther(Links.adding(.changed, to: Links.adding(query: query, to: links.tree(tree))))
  }
}

/// Handles going back, and leaving a flow.
extension Site {
  func back(from id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      // The page may predate the moment at which this became the only screen.
      if let window = await watch.wait()?.window, window.top?.id == id, LeavingStep(in: window).question != nil {
        return .seeOther(links.ending(id, of: tree))
      }
      return try await back(from: id, of: tree, watch, request: request(of: visit.form), visit) ?? .seeOther(links.tree(tree))
    }
    return response ?? unseen(tree)
  }

  /// Ends the flow by leaving its first screen, after the user has confirmed it.
  func end(_ id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      // Meanwhile the flow may have reached a point where Back ends nothing.
      guard let window = await watch.wait()?.window, LeavingStep(in: window).question != nil,
        !(links.isLocked && LeavingStep(in: window) == .end)
      else { return .seeOther(links.tree(tree)) }
      return try await back(from: id, of: tree, watch, request: request(of: visit.form), visit) ?? .seeOther(links.tree(tree))
    }
    return response ?? unseen(tree)
  }

  /// Goes back one screen at a time until the given screen is on top.
  func goBack(to id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let seen = visit.form["top"].flatMap(UInt64.init)
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let window = await watch.wait()?.window, let index = window.screens.firstIndex(where: { $0.id == id }),
        window.top?.id == seen
      else { return moved(tree, .answeredElsewhere(kind: nil)) }
      // At most once for each screen above, regardless of other events.
      for screen in window.screens[(index + 1)...].reversed() {
        // A root's screens may lie above those of its children, so leaving one may end the flow.
        if let now = await watch.wait()?.window, LeavingStep(in: now).question != nil { return .seeOther(links.tree(tree)) }
        if let refusal = try await back(from: screen.id, of: tree, watch, request: nil, visit) { return refusal }
      }
      return .seeOther(links.tree(tree))
    }
    return response ?? unseen(tree)
  }

  /// Goes back from the top screen.
  ///
  /// - Returns: the response if that failed, otherwise nil.
  private func back(
    from id: UInt64, of tree: String, _ watch: TreeWatch, request: String?, _ visit: Visit
  ) async throws(ClientError) -> HTTPResponse? {
    guard let path = path(of: tree), let router = try? Contract.routerPath(of: path) else { return unseen(tree) }
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
      return stay(on: id, of: tree, await speaking(as: watch) { refusal.sentence }, visit)
    } catch .failed(let error) where error.isStandard("LimitsExceeded") {
      return stay(on: id, of: tree, await speaking(as: watch) { ClientError.failed(error).sentence }, visit)
    } catch .failed(let error) where error.isStandard("UnknownObject") {
      return .seeOther(links.tree(tree))
    }
  }

  /// Shows a screen again that could not be left, with the reason.
  private func stay(on id: UInt64, of tree: String, _ problem: String, _ visit: Visit) -> HTTPResponse {
    var draft = visit.session.drafts.draft(of: id, in: tree) ?? Draft(screen: id)
    draft.problem = problem
    keep(draft, in: tree, visit)
    return .seeOther(links.screen(id, of: tree))
  }
}
