import Locking
import Threads

/// Threads for what blocks: a few of their own, so that neither the pool of Swift's tasks nor the loop of a daemon waits.
///
/// Not a dispatch queue: its threads come from the pool that runs Swift's tasks too, which has one per core. A thread is started when
/// there is something to do and none is free, up to a limit; what is more waits in line. A thread ends when the line is empty, so that
/// nothing is kept between two log-ins and nothing has to be shut down.
final class WorkerThreads: Sendable {
  private struct Job {
    let run: @Sendable () -> Void
    /// Called in its stead if there is nobody to run it.
    let fail: @Sendable () -> Void
  }

  private struct Line {
    var waiting: [Job] = []
    var threads = 0
  }

  private let name: String
  private let limit: Int
  private let line = Lock(Line())

  /// - Parameters:
  ///   - name: what the threads are called, at most 15 bytes.
  ///   - limit: how many there are at most. With one, what is run is run in order.
  init(name: String, limit: Int) {
    self.name = name
    self.limit = max(1, limit)
  }

  /// How many threads there are at this moment.
  var count: Int { line.withLock(\.threads) }

  /// Runs `body` on one of the threads. It is in line when this first suspends, behind what was there before.
  ///
  /// If the task is cancelled this throws at once, and `body` is not run if it has not begun; a `body` that has goes on to its end.
  ///
  /// - Parameters:
  ///   - mustRun: whether `body` is run even if the task is cancelled.
  ///   - body: what blocks.
  /// - Returns: what `body` returns.
  /// - Throws: `CancellationError`, ``AccountsError/outOfThreads``, or what `body` throws.
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
      // If there are others they take it.
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
