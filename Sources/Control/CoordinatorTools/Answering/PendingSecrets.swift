import CoordinatorAnswers
import CoordinatorKit
import Locking

/// Keeps what was read for a move until the flow has taken it: a line of a descriptor is there only once, and a move may have to be made
/// again.
final class PendingSecrets: Sendable {
  private struct Kept: Sendable {
    var references: [AnswerMove.Reference] = []
    var secrets: [Int: Secret] = [:]
  }

  private let reader: SecretReader
  private let kept = Lock(Kept())

  /// Nothing has been read.
  init(_ reader: SecretReader) { self.reader = reader }

  /// Reads a value, unless that was done before for the same references.
  func read(
    _ reference: SecretReference, for references: [AnswerMove.Reference], at index: Int
  ) async throws(SecretReader.Unreadable) -> Secret {
    let known = kept.withLock { kept in
      if kept.references != references { kept = Kept(references: references) }
      return kept.secrets[index]
    }
    if let known { return known }
    let secret = try await reader.read(reference)
    kept.withLock { $0.secrets[index] = secret }
    return secret
  }

  /// Wipes all that was read.
  func forget() {
    kept.withLock { kept in
      for secret in kept.secrets.values { secret.wipe() }
      kept = Kept()
    }
  }
}
