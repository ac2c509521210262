import Forms

/// A kept program, for processes that show it and answer its questions.
package struct KeptProgram: Sendable {
  private let name: String
  private let places: KeeperPlaces

  /// Creates a program, without looking for it.
  ///
  /// - Parameters:
  ///   - name: the name of the program.
  ///   - places: the possible locations of its socket.
  package init(name: String, places: KeeperPlaces) { (self.name, self.places) = (name, places) }

  /// The time that a program may take from an answer to its next question before it counts as working, so that screens follow
  /// each other directly.
  private static let pause = Duration.milliseconds(250)

  /// Waits for changes since a sequence number.
  ///
  /// - Parameters:
  ///   - sequence: the last known sequence number.
  ///   - report: receives the progress of the program, until there is a change.
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

  /// Repeats an operation until the keeper has answered, or has ended. A lost connection does not mean that it has ended.
  ///
  /// - Parameter body: the operation; returns nil if the connection was lost.
  /// - Returns: the answer of the keeper.
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

  /// Waits a short time for a working program to ask the next question, or to end.
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

  /// Connects to the keeper, to receive the end of the program. Call it before another client can acknowledge the end, so that
  /// the keeper waits for this connection, too.
  ///
  /// - Returns: the connection that waits for the end.
  /// - Throws: ``KeeperGone``, or another error if the keeper cannot be reached now.
  package func awaitingEnd() throws -> AwaitedEnd { AwaitedEnd(try KeeperConnection(to: name, in: places)) }

  /// Sends an answer.
  ///
  /// - Parameters:
  ///   - answer: the answer.
  ///   - secrets: the values of secret fields.
  /// - Returns: the reply of the keeper.
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

  /// Ends the program, and then its keeper: no client will ask how the program has ended. Does nothing if the program has no
  /// keeper any more.
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

  /// Ends the keeper if the program has ended: no client will ask how. A program that still runs is not affected.
  package func release() async {
    guard let connection = try? KeeperConnection(to: name, in: places) else { return }
    connection.watch(0)
    for await message in connection.messages {
      guard case .news(let news) = message else { continue }
      guard case .ended = news else { return }
      connection.endProgram()
    }
  }

  /// Ends the program.
  ///
  /// - Parameter patience: the time that the keeper may take to answer.
  /// - Returns: whether the keeper has confirmed that it ends the program; false also if the program has no keeper any more.
  package func end(within patience: Duration) async -> Bool {
    guard let connection = try? KeeperConnection(to: name, in: places) else { return false }
    let timer = Task {
      try? await Task.sleep(for: patience)
      connection.close()
    }
    defer { timer.cancel() }
    connection.endProgram()
    // The keeper reads all bytes that were written before the end of the connection.
    for await message in connection.messages where message != .hello { return true }
    return false
  }
}

/// Waits for the end of a program on its own connection to the keeper.
package struct AwaitedEnd: Sendable {
  private let connection: KeeperConnection

  init(_ connection: KeeperConnection) {
    self.connection = connection
    connection.watch(0)
  }

  /// Waits for the end. Call it once.
  ///
  /// - Returns: how the program has ended; lost if the keeper has ended, or the task is cancelled.
  package func end() async -> ProgramEnd {
    await withTaskCancellationHandler {
      for await message in connection.messages {
        switch message {
        case .news(.asking(_, let sequence)), .news(.working(let sequence)): connection.watch(sequence)
        case .news(.ended(let end)): return end
        case .hello, .progress, .answered, .misunderstood, .other: break
        }
      }
      return ProgramEnd(lost: "its keeper has gone")
    } onCancel: {
      connection.close()
    }
  }
}

/// The way in which a program has ended, and the last lines of its output.
package struct ProgramEnd: Sendable, Hashable, Codable {
  /// The way in which a program has ended.
  package enum Cause: Sendable, Hashable, Codable {
    case status(Int)
    case signal(Int)
    /// It still runs as another user, but has lost its terminal.
    case outOfReach
    /// Its keeper has ended, and the state of the program is lost.
    case lost(String)
  }

  package var cause: Cause
  /// The last lines of its output.
  package var lines: [String]
  /// Whether it has printed more than these lines; nil if not.
  package private(set) var isCut: Bool?
  /// The failures during the run, for the administrator; nil if there were none.
  package private(set) var troubles: [String]?

  /// Creates the end of a program whose keeper has ended.
  package init(lost reason: String) { (cause, lines) = (.lost(reason), []) }

  /// Reads the end of a program.
  init(_ ending: [String: JSONValue], lines: [String], isCut: Bool? = nil, troubles: [String]? = nil) {
    (self.isCut, self.troubles) = (isCut, troubles)
    if let status = ending["status"]?.integer, (0...255).contains(status) {
      cause = .status(Int(clamping: status))
    } else if let signal = ending["signal"]?.integer, (1...64).contains(signal) {
      cause = .signal(Int(clamping: signal))
    } else {
      cause = .outOfReach
    }
    self.lines = lines
  }

  /// The exit status as in a shell; nil if unknown.
  package var status: Int32? {
    switch cause {
    case .status(let status): Int32(clamping: status)
    case .signal(let number): 128 + (Int32(clamping: number) & 0x7F)
    case .outOfReach, .lost: nil
    }
  }

  /// A message for users in the language of the current task, with the last lines of the output.
  package var message: String {
    let sentence: Text =
      switch cause {
      case .status(let status): Text("The program has ended with the status {status}.", ["status": "\(status)"])
      case .signal(let number): Text("The program was ended by the signal {number}.", ["number": "\(number)"])
      case .outOfReach: Text("The program has lost its terminal, and still runs as another user.")
      case .lost: Text("The program was lost: what kept it has ended.")
      }
    return ([sentence.string] + lines.suffix(Self.mostLines)).joined(separator: "\n")
  }

  /// The number of lines in a message to users.
  private static let mostLines = 10

  /// The end with only those lines that users see.
  package var shortened: ProgramEnd {
    var end = self
    end.lines = lines.suffix(Self.mostLines)
    return end
  }

  /// Adds a failure for the administrator.
  package mutating func add(trouble: String) { troubles = (troubles ?? []) + [trouble] }

  /// The complete reasons of the failures, for the administrator.
  package var reasons: [String] {
    let reasons = troubles ?? []
    return if case .lost(let reason) = cause { reasons + [reason] } else { reasons }
  }
}
