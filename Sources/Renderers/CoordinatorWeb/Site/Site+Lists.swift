import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

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
