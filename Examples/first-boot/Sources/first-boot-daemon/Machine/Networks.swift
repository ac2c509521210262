import CoordinatorKit

/// The networks of a machine.
protocol Networks: Sendable {
  /// Returns the networks within reach.
  func reachable() async throws -> [Network]

  /// Returns whether the machine is in a network as planned. Waits while it is joining.
  func isJoined(_ plan: NetworkPlan) async throws -> Bool

  /// Joins a network. If that fails, removes all traces of the attempt.
  ///
  /// - Parameters:
  ///   - plan: the network, and how the machine gets its address.
  ///   - passphrase: the passphrase, which is valid until this returns; nil for a network without one.
  /// - Throws: ``Problem`` if the network does not let the machine in, or if there is no service for networks.
  func join(_ plan: NetworkPlan, passphrase: Secret?) async throws
}
