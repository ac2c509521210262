import CoordinatorClient
import DBus

/// The flow trees that browsers show: each is followed once, and let go a while after the last look at it.
actor Trees {
  private struct Entry {
    let watch: Task<Result<TreeWatch, ClientError>, Never>
    var users = 0
    var farewell: Task<Void, Never>?
  }

  /// So many trees are followed at once.
  static let maximumCount = 64
  /// How long a tree is followed that nobody looks at: long enough for the next page of somebody without scripts.
  private static let patience = Duration.seconds(60)

  private let daemon: DaemonClient
  private var entries: [ObjectPath: Entry] = [:]

  /// No trees yet.
  ///
  /// - Parameter daemon: The daemon.
  init(daemon: DaemonClient) { self.daemon = daemon }

  /// Looks at a tree, and follows it from now on. Each call is followed by one of ``release(_:)``.
  ///
  /// - Parameter tree: The path of the root coordinator.
  /// - Returns: The watch; nil if too many trees are followed.
  /// - Throws: `ClientError`. The tree has then been released.
  func retain(_ tree: ObjectPath) async throws(ClientError) -> TreeWatch? {
    guard entries[tree] != nil || entries.count < Self.maximumCount || letOneGo() else { return nil }
    var entry = entries[tree] ?? Entry(watch: attach(tree))
    entry.users += 1
    entry.farewell?.cancel()
    entry.farewell = nil
    entries[tree] = entry
    switch await entry.watch.value {
    case .success(let watch): return watch
    case .failure(let error):
      entries[tree] = nil
      throw error
    }
  }

  /// Says that a look at a tree is over.
  ///
  /// - Parameter tree: The path of the root coordinator.
  func release(_ tree: ObjectPath) async {
    guard var entry = entries[tree] else { return }
    entry.users -= 1
    if entry.users == 0 {
      entry.farewell = Task { [weak self] in
        try? await Task.sleep(for: Self.patience)
        if !Task.isCancelled { await self?.letGo(tree) }
      }
    }
    entries[tree] = entry
    // What has ended needs no following, and whoever makes names up is not to fill the table.
    if entry.users == 0, case .success(let watch) = await entry.watch.value, await watch.view?.isOver == true { letGo(tree) }
  }

  private nonisolated func attach(_ tree: ObjectPath) -> Task<Result<TreeWatch, ClientError>, Never> {
    Task { [daemon] in
      do throws(ClientError) {
        return .success(try await TreeWatch.attach(to: tree, of: daemon))
      } catch {
        return .failure(error)
      }
    }
  }

  private func letOneGo() -> Bool {
    guard let tree = entries.first(where: { $0.value.users == 0 })?.key else { return false }
    letGo(tree)
    return true
  }

  private func letGo(_ tree: ObjectPath) {
    guard let entry = entries[tree], entry.users == 0 else { return }
    entries[tree] = nil
    entry.farewell?.cancel()
    Task {
      if case .success(let watch) = await entry.watch.value { await watch.close() }
    }
  }
}
