/// Does something, but not for longer than a while; then it is cancelled.
///
/// - Parameters:
///   - limit: How long it may take.
///   - body: What to do; has to notice that it is cancelled.
/// - Returns: What it returned; nil if the time was over first.
/// - Throws: What it threw.
func within<Result: Sendable>(
  _ limit: Duration, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
  try await withThrowingTaskGroup(of: Result?.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: limit)
      return nil
    }
    return try await group.next() ?? nil
  }
}
