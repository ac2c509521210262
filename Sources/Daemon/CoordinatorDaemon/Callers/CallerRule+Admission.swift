import DBus
import Logging
import Platform

extension CallerRule {
  /// Returns the admission rule that a connection applies.
  ///
  /// - Parameters:
  ///   - logger: the logger for refused callers. They are logged at `info`, because otherwise they could fill the log.
  ///   - groups: looks up the groups of a user; may block.
  /// - Returns: a rule that decides at once if it can, and looks up groups on separate threads.
  func admission(
    logger: Logger, groups: @escaping @Sendable (UInt32) -> Set<UInt32>? = SystemDatabase.groups
  ) -> AdmissionRule {
    let threads = WorkPool(most: 4)
    let complete: @Sendable (PeerCredentials) async -> PeerCredentials = { peer in
      guard case .lookUp(let user) = decide(on: peer) else { return peer }
      let found = await Task(executorPreference: threads.lane()) { groups(user) }.value ?? []
      return PeerCredentials(user: user, groups: found)
    }
    return AdmissionRule(description, completes: complete) { peer in
      let isAdmitted = decide(on: await complete(peer)) == .admit
      if !isAdmitted { logger.info("refused a caller", metadata: ["user": "\(peer.user.map(String.init) ?? "unknown")"]) }
      return isAdmitted
    }
  }
}
