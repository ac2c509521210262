import CoordinatorAnswers
import CoordinatorKit
import Platform

/// Keeps the secrets read for a move until the daemon accepts it. A line can be read from a descriptor only once, but a move
/// may be made several times. Safe to use from any thread.
package final class PendingSecrets: Sendable {
  private struct Kept: Sendable {
    var references: [AnswerMove.Reference] = []
    var secrets: [Int: Secret] = [:]
  }

  private let reader: SecretReader
  private let kept = Lock(Kept())

  /// Creates an empty store.
  package init(_ reader: SecretReader) { self.reader = reader }

  /// Returns a secret. Reads it unless it was already read for the same references.
  package func read(
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

  /// Wipes all secrets that were read.
  package func forget() {
    kept.withLock { kept in
      for secret in kept.secrets.values { secret.wipe() }
      kept = Kept()
    }
  }
}
