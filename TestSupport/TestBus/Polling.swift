/// Waits until a condition is met by checking it repeatedly.
///
/// Only for state without events, such as the state of another process, or internal state of the code under test that nothing
/// reports. Everything else is awaited: see ``Observed``, ``Record``, and ``Gate``.
///
/// - Parameters:
///   - isolation: the actor on which the condition is evaluated; the caller's.
///   - condition: a closure that checks the state.
/// - Throws: the error that `condition` throws, and `CancellationError`, so that a test that exceeds its time limit ends.
public func poll(
  isolation: isolated (any Actor)? = #isolation, until condition: () async throws -> Bool
) async throws {
  // The pause leaves the processor to the code under test. No test depends on its length.
  while try await !condition() { try await Task.sleep(for: .milliseconds(2)) }
}
