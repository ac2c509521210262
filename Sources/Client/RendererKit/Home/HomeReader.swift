import CoordinatorBus
import CoordinatorClient
import DBus
import Languages

/// Reads the contents of a front door, and caches parts that need not be read again.
struct HomeReader: Sendable {
  /// The maximum number of flow trees whose windows are read: the newest ones. The others are listed without their place.
  static let mostWindows = 100

  let daemon: DaemonClient
  let language: LanguageTag?
  private var flows: [FlowListing] = []
  private var active: [ActiveFlow] = []
  private var overviews: [ObjectPath: (window: MirroredWindow, renderers: [String])] = [:]

  init(daemon: DaemonClient, language: LanguageTag?) {
    self.daemon = daemon
    self.language = language
  }

  /// The contents that have been read.
  var home: Home {
    let listings = Dictionary(flows.map { ($0.name, $0) }) { first, _ in first }
    let running = active.map { flow in
      let overview = overviews[flow.coordinator]
      return RunningFlow(
        flow, of: listings, language: language, window: overview?.window, renderers: overview?.renderers ?? [])
    }
    return Home(running: running, flows: flows, language: language)
  }

  /// Reads the parts that have changed.
  ///
  /// - Throws: `ClientError`. The contents that were read before are kept.
  mutating func read(_ change: HomeChange) async throws(ClientError) {
    if change.flows { flows = try await daemon.manager.listFlows() }
    if change.trees { active = try await daemon.manager.listActive() }
    let shown = Set(active.sorted { $0.startedAt > $1.startedAt }.prefix(Self.mostWindows).map(\.coordinator))
    overviews = overviews.filter { shown.contains($0.key) }
    for tree in shown where overviews[tree] == nil || change.isAbout(tree) {
      guard let router = try? Contract.routerPath(of: tree) else { continue }
      do throws(ClientError) {
        overviews[tree] = try await daemon.router(router).overview()
      } catch {
        // A tree that has ended meanwhile, or whose window this version cannot read, is listed without its window.
        if error == .noDaemon { throw error }
        overviews[tree] = nil
      }
    }
  }
}
