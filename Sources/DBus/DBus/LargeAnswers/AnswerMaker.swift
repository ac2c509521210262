import Platform

/// Makes large answers, one at a time, on a thread other than the loop's.
struct AnswerMaker: Sendable {
  private let lane = WorkPool(most: 1).lane()

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - answer: the answer to make.
  ///   - types: the types that the results must have; nil for any.
  ///   - limits: the limits for outgoing messages.
  ///   - completion: the closure to call with the answer, on the thread that has made it.
  func make(
    _ answer: LargeAnswer, types: String?, limits: MessageLimits,
    completion: @escaping @Sendable (Result<MadeAnswer, DBusError>) -> Void
  ) {
    Task(executorPreference: lane) { completion(Self.message(answer, types, limits)) }
  }

  private static func message(_ answer: LargeAnswer, _ types: String?, _ limits: MessageLimits) -> Result<MadeAnswer, DBusError> {
    // Callers of small answers must not wait for a large one.
    Thread.lowerPriority(of: Thread.current)
    do throws(DBusError) {
      return .success(try MadeAnswer(try answer.make(), types: types, limits: limits))
    } catch {
      return .failure(error)
    }
  }
}
