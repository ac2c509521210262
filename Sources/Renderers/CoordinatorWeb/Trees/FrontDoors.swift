import CoordinatorClient
import DBus
import Languages
import RendererKit

/// The lists of flows that browsers show, one for each of their languages. Each is followed while a browser shows it, and for
/// some time afterwards.
actor FrontDoors {
  private typealias Door = Task<Result<FrontDoor, ClientError>, Never>

  /// The time for which an unused list is followed.
  private static let patience = Duration.seconds(60)

  private let daemon: DaemonClient
  private var doors = SharedWatches<LanguageTag?, Door>()

  /// Creates a set without lists in use.
  init(daemon: DaemonClient) { self.daemon = daemon }

  /// Returns the list in a language. Balance each successful call with ``release(_:)``. A list whose reports have ended is
  /// replaced.
  ///
  /// - Parameter language: language of the user; nil for English. There are as many lists as the daemon has languages.
  /// - Returns: the list.
  /// - Throws: `ClientError`.
  func retain(_ language: LanguageTag?) async throws(ClientError) -> FrontDoor {
    let entry = doors.retain(language) { open(language) }
    let door = try await opened(entry.watch, language, entry.number)
    guard await door.isOver else { return door }
    if let old = doors.replace(language, entry.number, { open(language) }) { close(old) }
    let next = doors.retain(language) { open(language) }
    // This call has counted two uses.
    release(language)
    return try await opened(next.watch, language, next.number)
  }

  private func opened(_ door: Door, _ language: LanguageTag?, _ number: Int) async throws(ClientError) -> FrontDoor {
    switch await door.value {
    case .success(let door): return door
    case .failure(let error):
      doors.forget(language, number)
      throw error
    }
  }

  /// Releases the list in a language.
  func release(_ language: LanguageTag?) {
    _ = doors.release(language) {
      Task { [weak self] in
        try? await Task.sleep(for: Self.patience)
        if !Task.isCancelled { await self?.letGo(language) }
      }
    }
  }

  private nonisolated func open(_ language: LanguageTag?) -> Door {
    Task { [daemon] in
      do throws(ClientError) {
        return .success(try await FrontDoor.open(of: daemon, language: language))
      } catch {
        return .failure(error)
      }
    }
  }

  private func letGo(_ language: LanguageTag?) {
    if let door = doors.remove(language) { close(door) }
  }

  private nonisolated func close(_ door: Door) {
    Task {
      if case .success(let door) = await door.value { await door.close() }
    }
  }
}

/// Watches that several requests share, by key: a watch begins for the first of them, and ends some time after the last one. A
/// value that counts; its owner begins and ends the watches.
struct SharedWatches<Key: Hashable & Sendable, Watch: Sendable>: Sendable {
  /// A watch in use.
  struct Entry: Sendable {
    /// The number that distinguishes it from earlier and later watches of the same key.
    let number: Int
    var watch: Watch
    /// The number of its users.
    var users = 0
    /// The task that ends it after its last use.
    var farewell: Task<Void, Never>?
  }

  private var entries: [Key: Entry] = [:]
  private var last = 0

  /// The number of watches.
  var count: Int { entries.count }

  /// Any key whose watch is not in use; nil if there is none.
  var unused: Key? { entries.first { $0.value.users == 0 }?.key }

  /// The watch of a key; nil if there is none.
  subscript(key: Key) -> Watch? { entries[key]?.watch }

  /// Uses the watch of a key.
  ///
  /// - Parameters:
  ///   - key: key of the watch.
  ///   - begin: closure that begins it if there is none.
  /// - Returns: the watch with its number.
  mutating func retain(_ key: Key, _ begin: () -> Watch) -> Entry {
    var entry = entries[key] ?? begun(begin)
    entry.users += 1
    entry.farewell?.cancel()
    entry.farewell = nil
    entries[key] = entry
    return entry
  }

  /// Removes a watch that could not begin. All of its users may report this; a watch that has since replaced it is not
  /// affected.
  mutating func forget(_ key: Key, _ number: Int) { if entries[key]?.number == number { entries[key] = nil } }

  /// Replaces a watch that has ended by a new one with the same users. Does nothing if another user has already done so.
  ///
  /// - Returns: the previous watch, to be closed; nil if nothing was done.
  mutating func replace(_ key: Key, _ number: Int, _ begin: () -> Watch) -> Watch? {
    guard let old = entries[key], old.number == number else { return nil }
    var new = begun(begin)
    new.users = old.users
    entries[key] = new
    return old.watch
  }

  /// Stops using the watch of a key.
  ///
  /// - Parameters:
  ///   - key: key of the watch.
  ///   - farewell: closure that starts a task which ends the watch later; called after the last use.
  /// - Returns: whether the watch is now unused.
  mutating func release(_ key: Key, _ farewell: () -> Task<Void, Never>) -> Bool {
    guard var entry = entries[key] else { return false }
    entry.users -= 1
    if entry.users == 0 { entry.farewell = farewell() }
    entries[key] = entry
    return entry.users == 0
  }

  /// Removes an unused watch.
  ///
  /// - Returns: the watch, to be ended; nil if it is in use.
  mutating func remove(_ key: Key) -> Watch? {
    guard let entry = entries[key], entry.users == 0 else { return nil }
    entries[key] = nil
    entry.farewell?.cancel()
    return entry.watch
  }

  private mutating func begun(_ begin: () -> Watch) -> Entry {
    last += 1
    return Entry(number: last, watch: begin())
  }
}

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
