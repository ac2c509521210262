import Dispatch
import Platform

/// The descriptions that scripts give of their flows. Several files are asked at once, each with a separate time limit, so that
/// one that does not answer does not delay others. May be used from any thread.
final class ScriptDescriptions: Sendable {
  /// A file with a certain content.
  struct Key: Sendable, Hashable {
    let path: String
    let digest: String
  }

  typealias Answer = Result<[Script], UnreadableScript>

  private struct State: Sendable {
    /// The files being asked; `slow` are those that were slow before.
    var asked: Set<Key> = []
    var slow: Set<Key> = []
    var queue: [Key] = []
    var answers: [Key: Answer] = [:]
    var running = 0
    /// The threads that wait, each with its files.
    var waiters: [(keys: Set<Key>, semaphore: DispatchSemaphore)] = []
    /// Whether a reader has continued without an answer.
    var owesNews = false
    var news: (@Sendable () -> Void)?
  }

  /// The maximum number of files that are asked at once.
  private static let width = 8

  private let state = Lock(State())

  /// Sets a closure that is called when an answer arrives without which a reader has continued.
  func listen(_ news: @escaping @Sendable () -> Void) { state.withLock { $0.news = news } }

  /// Asks a file, unless that is under way.
  func ask(_ key: Key) {
    let isNew = state.withLock { state in
      guard state.answers[key] == nil, state.asked.insert(key).inserted else { return false }
      // Answers of earlier versions of the file.
      state.answers = state.answers.filter { $0.key.path != key.path }
      state.queue.append(key)
      return true
    }
    if isNew { work() }
  }

  /// Waits until the files have answered. Blocks the thread.
  ///
  /// - Parameters:
  ///   - keys: the files.
  ///   - time: how long to wait. Files that were slow before are not waited for.
  func wait(for keys: Set<Key>, atMost time: Duration) {
    let semaphore = DispatchSemaphore(value: 0)
    let isReady = state.withLock { state in
      let open = keys.intersection(state.asked).subtracting(state.slow)
      if !open.isEmpty { state.waiters.append((open, semaphore)) }
      return open.isEmpty
    }
    if isReady { return }
    _ = semaphore.wait(timeout: .now() + .milliseconds(Int(time / .milliseconds(1))))
    state.withLock { $0.waiters.removeAll { $0.semaphore === semaphore } }
  }

  /// Returns an answer; nil if there is none yet: then the closure of ``listen(_:)`` is called later.
  func answer(_ key: Key) -> Answer? {
    state.withLock { state in
      guard let answer = state.answers[key] else {
        state.owesNews = true
        return nil
      }
      // It may be quicker next time.
      if case .failure(let error) = answer, error.isSlow { state.answers[key] = nil }
      return answer
    }
  }

  /// Asks queued files, up to the maximum number at once.
  private func work() {
    while true {
      let key: Key? = state.withLock { state in
        guard state.running < Self.width, !state.queue.isEmpty else { return nil }
        state.running += 1
        return state.queue.removeFirst()
      }
      guard let key else { return }
      let isStarted = Thread.start(name: "describe") { [self] in
        do throws(UnreadableScript) {
          hasAnswered(key, .success(try ScriptDescriber.flows(of: key.path, digest: key.digest)))
        } catch {
          hasAnswered(key, .failure(error))
        }
      }
      guard !isStarted else { continue }
      hasAnswered(key, .failure(UnreadableScript("cannot be asked: the system has no thread left", isSlow: true)))
    }
  }

  private func hasAnswered(_ key: Key, _ answer: Answer) {
    let (ready, news) = state.withLock { state in
      state.running -= 1
      state.asked.remove(key)
      state.answers[key] = answer
      // The file is asked again later, but no reader waits for it again.
      if case .failure(let error) = answer, error.isSlow { state.slow.insert(key) } else { state.slow.remove(key) }
      for index in state.waiters.indices { state.waiters[index].keys.remove(key) }
      let ready = state.waiters.filter(\.keys.isEmpty).map(\.semaphore)
      state.waiters.removeAll(where: \.keys.isEmpty)
      defer { state.owesNews = false }
      return (ready, state.owesNews ? state.news : nil)
    }
    for semaphore in ready { semaphore.signal() }
    work()
    news?()
  }
}
