import Forms

/// A program that a keeper keeps, for those who show it and answer it.
package struct KeptProgram: Sendable {
  private let name: String
  private let places: KeeperPlaces

  /// Creates a program, without looking for it.
  ///
  /// - Parameters:
  ///   - name: its name.
  ///   - places: where its socket may be.
  package init(name: String, places: KeeperPlaces) { (self.name, self.places) = (name, places) }

  /// How long a program that has an answer may take to the next question before it counts as working: so that screens
  /// follow each other.
  private static let pause = Duration.milliseconds(250)

  /// Waits for what is newer than a sequence number.
  ///
  /// - Parameters:
  ///   - sequence: what is known.
  ///   - report: receives how far the program is, until there is something newer.
  /// - Returns: the news, and whether the program runs as root.
  /// - Throws: `CancellationError`; ``KeeperGone``.
  package func news(
    since sequence: UInt64, report: @Sendable (ProgramProgress) -> Void
  ) async throws -> (news: ProgramNews, isOfRoot: Bool) {
    try await untilGone {
      let connection = try KeeperConnection(to: name, in: places)
      return try await withTaskCancellationHandler {
        connection.watch(sequence)
        for await message in connection.messages {
          switch message {
          case .progress(var progress):
            progress.isOfRoot = connection.isOfRoot
            report(progress)
          case .news(.working(let newer)):
            guard let next = try? await question(after: newer) else { return (.working(sequence: newer), connection.isOfRoot) }
            return (next, connection.isOfRoot)
          case .news(let news): return (news, connection.isOfRoot)
          case .misunderstood(let reason): throw KeeperGone(description: "the keeper of \(name) does not understand: \(reason)")
          case .hello, .answered, .other: break
          }
        }
        return nil
      } onCancel: {
        connection.close()
      }
    }
  }

  /// Tries something until the keeper has answered, or has gone. What is lost on the way is no sign of its end.
  ///
  /// - Parameter body: what to try; returns nil if the connection was lost.
  /// - Returns: what the keeper has answered.
  /// - Throws: `CancellationError`; ``KeeperGone``.
  private func untilGone<Answer>(_ body: () async throws -> Answer?) async throws -> Answer {
    var delay = Duration.milliseconds(50)
    while true {
      do {
        if let answer = try await body() { return answer }
      } catch is KeeperTrouble {}
      try Task.checkCancellation()
      try await Task.sleep(for: delay)
      delay = min(delay * 2, .seconds(2))
    }
  }

  /// Waits a moment for a program that works to ask the next question, or to end.
  private func question(after sequence: UInt64) async throws -> ProgramNews? {
    let connection = try KeeperConnection(to: name, in: places)
    let timer = Task {
      try? await Task.sleep(for: Self.pause)
      connection.close()
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      connection.watch(sequence)
      for await message in connection.messages {
        if case .news(let news) = message { return news }
      }
      return nil
    } onCancel: {
      connection.close()
    }
  }

  /// Connects to the keeper, to learn how the program ends: before anybody else can tell the keeper that the end is known,
  /// so that it waits for this one, too.
  ///
  /// - Returns: what waits for the end.
  /// - Throws: ``KeeperGone``, or another error if the keeper cannot be reached now.
  package func awaitingEnd() throws -> AwaitedEnd { AwaitedEnd(try KeeperConnection(to: name, in: places)) }

  /// Gives an answer.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - secrets: the values of secret fields.
  /// - Returns: what the keeper says to it.
  /// - Throws: `CancellationError`; ``KeeperGone``.
  package func give(_ answer: KeeperAnswer, secrets: [String: Secret]) async throws -> AnswerOutcome {
    try await untilGone {
      let connection = try KeeperConnection(to: name, in: places)
      return await withTaskCancellationHandler {
        connection.answer(answer, secrets: secrets)
        for await message in connection.messages {
          switch message {
          case .answered(let outcome): return outcome
          case .misunderstood(let reason): return .refused(reason)
          case .hello, .progress, .news, .other: break
          }
        }
        return nil
      } onCancel: {
        connection.close()
      }
    }
  }

  /// Has the program ended, and its keeper leave then: nobody will ask it how the program has ended. Does nothing if
  /// nobody keeps it any more.
  package func dismiss() async {
    guard let connection = try? KeeperConnection(to: name, in: places) else { return }
    connection.endProgram()
    connection.watch(0)
    for await message in connection.messages {
      switch message {
      case .news(.asking(_, let sequence)), .news(.working(let sequence)): connection.watch(sequence)
      case .news(.ended): connection.endProgram()
      case .hello, .progress, .answered, .misunderstood, .other: break
      }
    }
  }

  /// Has the keeper leave if the program has ended: nobody will ask it how. A program that goes on is left alone.
  package func release() async {
    guard let connection = try? KeeperConnection(to: name, in: places) else { return }
    connection.watch(0)
    for await message in connection.messages {
      guard case .news(let news) = message else { continue }
      guard case .ended = news else { return }
      connection.endProgram()
    }
  }

  /// Has the program ended.
  ///
  /// - Parameter patience: how long the keeper may take to answer.
  /// - Returns: whether the keeper has said that it does so; false also if nobody keeps the program any more.
  package func end(within patience: Duration) async -> Bool {
    guard let connection = try? KeeperConnection(to: name, in: places) else { return false }
    let timer = Task {
      try? await Task.sleep(for: patience)
      connection.close()
    }
    defer { timer.cancel() }
    connection.endProgram()
    // The keeper reads to the end of what was written.
    for await message in connection.messages where message != .hello { return true }
    return false
  }
}
