import CoordinatorClient
import Languages

/// The lists of flows that browsers show, one for each of their languages. Each is followed as long as somebody shows it,
/// and for a while afterwards.
actor FrontDoors {
  private struct Entry {
    let door: Task<Result<FrontDoor, ClientError>, Never>
    var users = 0
    var farewell: Task<Void, Never>?
  }

  /// How long a list that nobody shows is followed.
  private static let patience = Duration.seconds(60)

  private let daemon: DaemonClient
  private var entries: [LanguageTag?: Entry] = [:]

  /// Creates lists that nobody shows.
  init(daemon: DaemonClient) { self.daemon = daemon }

  /// Returns the list in a language. Balance each successful call with ``release(_:)``.
  ///
  /// - Parameter language: language of the user; nil for English. There are as many as the daemon has.
  /// - Returns: the list.
  /// - Throws: `ClientError`.
  func retain(_ language: LanguageTag?) async throws(ClientError) -> FrontDoor {
    var entry = entries[language] ?? Entry(door: open(language))
    entry.users += 1
    entry.farewell?.cancel()
    entry.farewell = nil
    entries[language] = entry
    switch await entry.door.value {
    case .success(let door): return door
    case .failure(let error):
      entries[language] = nil
      throw error
    }
  }

  /// Releases the list in a language.
  func release(_ language: LanguageTag?) async {
    guard var entry = entries[language] else { return }
    entry.users -= 1
    if entry.users == 0 {
      entry.farewell = Task { [weak self] in
        try? await Task.sleep(for: Self.patience)
        if !Task.isCancelled { await self?.letGo(language) }
      }
    }
    entries[language] = entry
  }

  private nonisolated func open(_ language: LanguageTag?) -> Task<Result<FrontDoor, ClientError>, Never> {
    Task { [daemon] in
      do throws(ClientError) {
        return .success(try await FrontDoor.open(of: daemon, language: language))
      } catch {
        return .failure(error)
      }
    }
  }

  private func letGo(_ language: LanguageTag?) {
    guard let entry = entries[language], entry.users == 0 else { return }
    entries[language] = nil
    Task {
      if case .success(let door) = await entry.door.value { await door.close() }
    }
  }
}
