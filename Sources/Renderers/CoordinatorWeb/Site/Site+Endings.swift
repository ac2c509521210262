import CoordinatorClient
import Languages
import RendererKit

/// The pages of flows that have ended.
extension Site {
  /// Returns the name of the flow of an ended tree, which may have ended before anybody looked at it, or before this
  /// server was started; nil if nobody knows it any more.
  private func flow(of tree: String) async -> String? {
    if case .flow(let flow) = scope { return flow.name }
    guard let path = path(of: tree) else { return nil }
    return (try? await daemon.manager.flow(ofEnded: path)) ?? nil
  }

  /// Makes the page of a tree that has ended. What only makes it nicer is left out if it cannot be read.
  func endPage(of tree: String, _ end: FlowEnd, _ ending: Endings.Ending, _ visit: Visit) async -> HTML {
    var listing: FlowListing?
    if let flow = await flow(of: tree) { listing = (try? await daemon.manager.listFlows())?.first { $0.name == flow } }
    var language = ending.language
    if language == nil { language = (try? await self.language(of: visit)) ?? nil }
    // The next run is not for whoever was let into this one.
    let left = Self.reach == .everything ? await keeper?.restartLeft : nil
    let make = { [self, listing, language] in
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
    case .tree: return nil
    case .everything:
      guard let listing else { return nil }
      return listing.input?.fields.isEmpty ?? true ? .start(flow: listing.name, visit.token) : .input(flow: listing.name)
    }
  }
}
