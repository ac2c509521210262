import CoordinatorClient
import Languages

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
