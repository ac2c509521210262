import CoordinatorClient
import Languages
import RendererKit

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
