import Platform

/// A value that the code under test changes on any thread, and whose changes a test awaits.
public final class Observed<Value: Sendable>: Sendable {
  private struct Waiter {
    let condition: @Sendable (Value) -> Bool
    let continuation: CheckedContinuation<Value?, Never>
  }

  private struct State {
    var value: Value
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state: Lock<State>

  /// Creates an observed value.
  public init(_ value: Value) { state = Lock(State(value: value)) }

  /// The current value.
  public var value: Value { state.withLock { $0.value } }

  /// Changes the value and resumes the tasks that wait for it.
  @discardableResult
  public func update<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    let (result, value, met) = try state.withLock { state in
      let result = try body(&state.value)
      let met = state.waiters.filter { $0.value.condition(state.value) }
      for number in met.keys { state.waiters[number] = nil }
      return (result, state.value, met)
    }
    for waiter in met.values { waiter.continuation.resume(returning: value) }
    return result
  }

  /// Waits until the value satisfies a condition.
  ///
  /// - Parameter condition: a predicate, evaluated at each change and with the lock held: it must not use this value.
  /// - Returns: the value that satisfied the condition.
  /// - Throws: `CancellationError`, so that a test that exceeds its time limit ends.
  @discardableResult
  public func until(_ condition: @escaping @Sendable (Value) -> Bool) async throws -> Value {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    let met = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
        let answer: Value?? = state.withLock { state in
          if condition(state.value) { return .some(state.value) }
          // A cancellation after this check finds the waiter, because it needs the lock.
          if Task.isCancelled { return .some(nil) }
          state.waiters[number] = Waiter(condition: condition, continuation: continuation)
          return .none
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: nil)
    }
    guard let met else { throw CancellationError() }
    return met
  }
}
