import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

/// Handles drafts.
extension Site {
  /// Saves a draft, so that it survives a reload and appears in all other renderers.
  ///
  /// The browser may send a draft and the answer at the same time. A draft that arrives after its screen was answered is
  /// dropped, which is not an error.
  func keepDraft(of id: UInt64, of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    let form = visit.form
    let response = try await looking(at: tree) { watch throws(ClientError) -> HTTPResponse? in
      guard let top = await watch.wait()?.window?.top, top.id == id, let path = path(of: tree),
        let router = try? Contract.routerPath(of: path)
      else { return HTTPResponse(.noContent) }
      let answer = FormAnswer(form, fields: top.screen.form?.fields ?? [])
      let draft = answer.draft(replacing: form.all("touched"), in: top.draft)
      do throws(ClientError) {
        try await daemon.router(router).saveDraft(screen: id, values: draft)
      } catch .refused, .failed {
        // The draft is too large, or the screen is gone. There is nothing to save.
        return HTTPResponse(.noContent)
      }
      await watch.drafted(draft, on: id, by: form["page"] ?? "", visitor(of: visit))
      sessions.withLock { sessions in
        sessions.updateDrafts(of: visit.session.cookie) { drafts in
          guard var draft = drafts.draft(of: id, in: tree) else { return }
          draft.correct(with: answer, filled: form.all("filled"), fields: top.screen.form?.fields ?? [])
          drafts.keep(draft, in: tree)
        }
      }
      return HTTPResponse(.noContent)
    }
    return response ?? unseen(tree)
  }
}
