/// The attempts to perform a piece of work in another process. They are counted across restarts: an attempt that may
/// repeat another one is stored before it begins.
package struct WorkAttempts: Sendable {
  /// How many attempts may have begun before.
  package let begun: UInt32
  private let store: @Sendable (UInt32) async -> Bool

  /// Creates the attempts of a piece of work.
  init(begun: UInt32, store: @escaping @Sendable (UInt32) async -> Bool) { (self.begun, self.store) = (begun, store) }

  /// Stores that an attempt is about to begin. The first one is known from the order itself.
  ///
  /// - Parameter attempt: the number of the attempt, from 1.
  /// - Returns: whether it may begin; false if it could not be stored.
  package func mayBegin(_ attempt: UInt32) async -> Bool {
    if attempt == 1 { return true }
    return await store(attempt)
  }
}
