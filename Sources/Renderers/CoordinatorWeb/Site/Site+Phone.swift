import CoordinatorClient

/// Continues a flow on a phone.
extension Site {
  /// Shows how to continue on a phone (GET), or issues an address for one (POST).
  func phone(of tree: String, _ visit: Visit) async throws(ClientError) -> HTTPResponse {
    guard path(of: tree) != nil else { return unseen(tree) }
    guard isReachable else { return notFound }
    var page = PhonePage(links: links, tree: tree, token: visit.token)
    page.fingerprint = fingerprint()
    page.isConnected = isConnected()
    page.idle = await idleMarkup(of: tree, visit)
    if !visit.request.isSafe, let (entry, pass) = invite(to: tree, visit) { (page.entry, page.code) = (entry, pass.number) }
    let language = try await looking(at: tree) { watch throws(ClientError) in await watch.view?.language }
    let shown = page
    return .page(language.map { languages.speaking($0) { shown.html } } ?? shown.html)
  }

  /// Returns the person that a browser stands for, in the language of the page.
  func visitor(of visit: Visit) -> Visitor {
    Visitor(id: visit.session.cookie, name: BrowserName.name(userAgent: visit.request.headers["user-agent"]) ?? "Browser")
  }
}
