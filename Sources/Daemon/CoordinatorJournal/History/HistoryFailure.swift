import CoordinatorKit

/// What failed in a stored transition: a coordinator, which has ended by it, or what it goes on without, such as a piece of
/// its work.
///
/// The reason is as long as an author makes it, and the log has all of it: a long one ends with a mark here.
public struct HistoryFailure: Sendable, Hashable, Codable {
  /// The path of the coordinator.
  public var coordinator: String
  /// The name of its flow; nil if it goes on.
  public var flow: String?
  /// The stable code of the failure.
  public var code: String
  /// What happened, in the words of the author. Contains no secret.
  public var reason: String

  /// Creates an entry for a failure.
  public init(_ failure: Failure, of coordinator: CoordinatorPath, flow: String? = nil) {
    self.coordinator = coordinator.text
    self.flow = flow
    code = failure.code
    reason = FailureMessage.fitting(failure.message)
  }
}

extension StoredChange {
  /// What failed.
  var failures: [HistoryFailure] {
    let within = failure.map { HistoryFailure($0, of: occasion.coordinator ?? root) }
    return [within].compactMap(\.self)
      + ended.compactMap { child in
        guard case .failed(let failure) = child.outcome else { return nil }
        return HistoryFailure(failure, of: child.path, flow: child.flow)
      }
  }
}
