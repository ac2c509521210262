/// What a piece of work may use while it runs.
public struct WorkContext: Sendable {
  /// The secrets that the work was started with, by the name that its coordinator gave them. Wiped when the work is done.
  public let secrets: [String: Secret]
  let report: @Sendable (Progress) -> Void

  /// One of the secrets that the work was started with.
  ///
  /// - Parameter name: the name that its coordinator gave it.
  /// - Returns: the secret, until the work is done.
  /// - Throws: ``Failure`` if the work was started without it.
  public func secret(_ name: String) throws(Failure) -> Secret {
    guard let secret = secrets[name] else {
      throw Failure(code: "no-secret", message: "the work was started without the secret \(name)")
    }
    return secret
  }

  /// Says how far the work has come; shown on the screen that was its coordinator's topmost one when it was started, at most ten
  /// times a second. Call it as often as you like, from any thread.
  ///
  /// - Parameter progress: how far it has come.
  public func report(_ progress: Progress) { report(progress) }
}

/// What came of a piece of work.
public enum WorkResult<Product: Sendable>: Sendable {
  /// It was done.
  case done(Product)
  /// It threw.
  case failed(any Error)
}
