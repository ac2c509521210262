import Platform

/// A small pool of threads for blocking calls, so that neither Swift's cooperative thread pool nor a daemon's loop
/// blocks.
///
/// Not a dispatch queue, because those share threads with Swift's cooperative pool, which has one per core. A thread is
/// started when there is work and no thread is free, up to a limit; further jobs wait in a queue. A thread ends when
/// the queue is empty, so nothing remains between two log-ins and no shutdown is needed.
final class WorkerThreads: Sendable {
  private struct Job {
    let run: @Sendable () -> Void
    /// Called instead if no thread can run the job.
    let fail: @Sendable () -> Void
  }

  private struct Line {
    var waiting: [Job] = []
    var threads = 0
  }

  private let name: String
  private let limit: Int
  private let line = Lock(Line())

  /// Creates a pool.
  ///
  /// - Parameters:
  ///   - name: the name of the threads, at most 15 bytes.
  ///   - limit: the maximum number of threads. With one thread, jobs run in order.
  init(name: String, limit: Int) {
    self.name = name
    self.limit = max(1, limit)
  }

  /// The current number of threads.
  var count: Int { line.withLock(\.threads) }

  /// Runs `body` on one of the threads. It is queued, after earlier jobs, before this method first suspends.
  ///
  /// If the task is cancelled, this method throws immediately, and `body` is not run unless it has already started; in
  /// that case, it runs to completion.
  ///
  /// - Parameters:
  ///   - mustRun: whether to run `body` even if the task is cancelled.
  ///   - body: the blocking call.
  /// - Returns: the value that `body` returns.
  /// - Throws: `CancellationError`, ``AccountsError/outOfThreads``, or the error that `body` throws.
  nonisolated(nonsending) func run<Product: Sendable>(
    mustRun: Bool = false, _ body: @escaping @Sendable () throws -> Product
  ) async throws -> Product {
    let answer = PendingAnswer<Product>()
    add(
      Job {
        if mustRun || answer.isWanted { answer.give(Result(catching: body)) }
      } fail: {
        answer.give(.failure(AccountsError.outOfThreads))
      })
    return try await answer.value()
  }

  private func add(_ job: Job) {
    let needsThread = line.withLock { line in
      line.waiting.append(job)
      guard line.threads < limit else { return false }
      line.threads += 1
      return true
    }
    guard needsThread, !Thread.start(name: name, { self.work() }) else { return }
    let unserved: [Job] = line.withLock { line in
      line.threads -= 1
      // Any other thread will take the job.
      guard line.threads == 0 else { return [] }
      defer { line.waiting = [] }
      return line.waiting
    }
    for job in unserved { job.fail() }
  }

  private func work() {
    while let job = next() { job.run() }
  }

  private func next() -> Job? {
    line.withLock { line in
      guard line.waiting.isEmpty else { return line.waiting.removeFirst() }
      line.threads -= 1
      return nil
    }
  }
}
