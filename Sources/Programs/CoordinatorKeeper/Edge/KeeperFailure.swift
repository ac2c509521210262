import Glibc

/// Why a program cannot be kept.
package struct KeeperFailure: Error, Sendable, CustomStringConvertible {
  package let description: String
  /// The exit status of the keeper: 125 for its own troubles, 126 and 127 for the program's, as `env` has them.
  package let status: Int32

  init(_ description: String, status: Int32 = 125) { (self.description, self.status) = (description, status) }

  /// A failure of a system call, with what `errno` says.
  static func system(_ what: String, _ error: Int32 = errno) -> KeeperFailure {
    KeeperFailure("\(what): \(String(cString: strerror(error)))")
  }
}
