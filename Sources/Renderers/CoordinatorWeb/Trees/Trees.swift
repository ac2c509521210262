import CoordinatorClient
import DBus
import RendererKit

/// The watches of the flow trees that browsers show. Browsers share one watch per tree. It is closed some time after
/// its last use.
actor Trees {
  /// The maximum number of watched trees.
  static let maximumCount = 64
  /// The time for which an unused watch is kept; long enough for a user without JavaScript to request the next page.
  private static let patience = Duration.seconds(60)

  private let daemon: DaemonClient
  private let languages: RendererLanguages
  private var watches = SharedWatches<ObjectPath, Task<Result<TreeWatch, ClientError>, Never>>()

  /// Creates an empty set of watches.
  ///
  /// - Parameters:
  ///   - daemon: client of the daemon.
  ///   - languages: languages of the words for pages.
  init(daemon: DaemonClient, languages: RendererLanguages = .standard) {
    self.daemon = daemon
    self.languages = languages
  }

  /// Returns the watch of a tree, and creates it if necessary. Balance each successful call with ``release(_:)``.
  ///
  /// - Parameter tree: path of the root coordinator.
  /// - Returns: the watch, or nil if too many trees are watched.
  /// - Throws: `ClientError`. The tree is not retained in this case.
  func retain(_ tree: ObjectPath) async throws(ClientError) -> TreeWatch? {
    guard watches[tree] != nil || watches.count < Self.maximumCount || letOneGo() else { return nil }
    let entry = watches.retain(tree) { attach(tree) }
    switch await entry.watch.value {
    case .success(let watch): return watch
    case .failure(let error):
      watches.forget(tree, entry.number)
      throw error
    }
  }

  /// Returns the watch of a tree if browsers show it, without retaining it.
  func known(_ tree: ObjectPath) async -> TreeWatch? {
    guard case .success(let watch)? = await watches[tree]?.value else { return nil }
    return watch
  }

  /// Releases the watch of a tree.
  ///
  /// - Parameter tree: path of the root coordinator.
  func release(_ tree: ObjectPath) async {
    let isUnused = watches.release(tree) {
      Task { [weak self] in
        try? await Task.sleep(for: Self.patience)
        if !Task.isCancelled { await self?.letGo(tree) }
      }
    }
    // A tree that has ended needs no watch, and invented names must not fill the table.
    if isUnused, case .success(let watch)? = await watches[tree]?.value, await watch.view?.isOver == true { letGo(tree) }
  }

  private nonisolated func attach(_ tree: ObjectPath) -> Task<Result<TreeWatch, ClientError>, Never> {
    Task { [daemon, languages] in
      do throws(ClientError) {
        return .success(try await TreeWatch.attach(to: tree, of: daemon, languages: languages))
      } catch {
        return .failure(error)
      }
    }
  }

  private func letOneGo() -> Bool {
    guard let tree = watches.unused else { return false }
    letGo(tree)
    return true
  }

  private func letGo(_ tree: ObjectPath) {
    guard let watch = watches.remove(tree) else { return }
    Task {
      if case .success(let watch) = await watch.value { await watch.close() }
    }
  }
}
