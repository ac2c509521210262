import Threads

/// Makes large answers, one after the other, beside the loop.
struct AnswerMaker: Sendable {
  private let lane = WorkPool(most: 1).lane()

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - answer: what to make.
  ///   - types: the types that the results must have; nil for any.
  ///   - limits: what may be sent.
  ///   - completion: is called with the answer, on the thread that has made it.
  func make(
    _ answer: LargeAnswer, types: String?, limits: MessageLimits,
    completion: @escaping @Sendable (Result<MadeAnswer, DBusError>) -> Void
  ) {
    Task(executorPreference: lane) { completion(Self.message(answer, types, limits)) }
  }

  private static func message(_ answer: LargeAnswer, _ types: String?, _ limits: MessageLimits) -> Result<MadeAnswer, DBusError> {
    // Whoever asks for little is not to wait for it.
    Thread.lowerPriority(of: Thread.current)
    do throws(DBusError) {
      return .success(try MadeAnswer(try answer.make(), types: types, limits: limits))
    } catch {
      return .failure(error)
    }
  }
}
