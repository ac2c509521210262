/// Waits until a condition is met by looking again and again.
///
/// Only for what emits no event and can only be looked at, such as the state of another process, or internal state of
/// the code under test that nothing reports. Everything else is awaited: see ``Observed``, ``Record``, and ``Gate``.
///
/// - Parameters:
///   - isolation: the actor on which the condition is evaluated; the caller's.
///   - condition: a look at the state.
/// - Throws: what `condition` throws, and `CancellationError`, so that a test that exceeds its time limit ends.
public func poll(
  isolation: isolated (any Actor)? = #isolation, until condition: () async throws -> Bool
) async throws {
  // The pause leaves the processor to what is awaited. No test depends on its length.
  while try await !condition() { try await Task.sleep(for: .milliseconds(2)) }
}
