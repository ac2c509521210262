import Glibc

/// The reason why a program cannot be kept.
package struct KeeperFailure: Error, Sendable, CustomStringConvertible {
  package let description: String
  /// The exit status of the keeper: 125 for its own failures, 126 and 127 for the program's, as in `env`.
  package let status: Int32

  init(_ description: String, status: Int32 = 125) { (self.description, self.status) = (description, status) }

  /// Returns the failure of a system call, with the text for `errno`.
  static func system(_ what: String, _ error: Int32 = errno) -> KeeperFailure {
    KeeperFailure("\(what): \(String(cString: strerror(error)))")
  }
}
