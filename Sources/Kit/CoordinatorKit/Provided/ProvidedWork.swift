/// A piece of work that a provider has ordered and performs itself.
package struct ProvidedWork: Sendable, Hashable, Codable {
  /// Names the work; never used twice in one instance.
  package var id: String
  /// What to do, which only the provider understands.
  package var argument: String

  /// Creates a piece of work.
  package init(id: String, argument: String) {
    self.id = id
    self.argument = argument
  }

  /// How work has failed, as the provider has described it.
  package struct Trouble: Error, Sendable, Hashable, Codable {
    package var type: String
    package var message: String

    /// Creates a description.
    package init(type: String, message: String) {
      self.type = type
      self.message = message
    }
  }

  /// How work has ended.
  package enum End: Sendable, Hashable, Codable {
    case done(String)
    case failed(Trouble)
  }

  /// What is stored about work before anybody acts on it.
  package enum Note: Sendable, Hashable {
    /// It has ended.
    case ended(End)
    /// It is about to be begun again, for the so-manieth time.
    case begins(attempt: UInt32)
  }

  /// The work had secrets, and its provider left before the end: it cannot be performed again.
  package struct Interrupted: Error {
    /// Creates the error.
    package init() {}
  }
}
