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
