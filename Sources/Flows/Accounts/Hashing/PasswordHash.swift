import CoordinatorKit
import Glibc

/// A hash that passwords can be checked against. Prints as dots.
struct PasswordHash: Sendable {
  private let text: String

  /// Nil if no password can match: the account is locked (`!`, `*` or nothing), or the method is unknown or outdated.
  init?(_ text: String) {
    guard Crypt.isSound(text) else { return nil }
    self.text = text
  }

  /// Whether this is the password. Blocks for as long as the method takes, whatever the answer.
  func matches(_ password: Secret) -> Bool {
    // libcrypt sees a C string, which ends at the first NUL; what comes after it must not be for nothing.
    let length = password.withBytes { $0.count }
    return password.withCString { phrase in
      let isSame = Crypt.withHash(of: phrase, setting: text) { $0.map(isSameText) ?? false }
      // One that has been wiped meanwhile may have been read as the empty password.
      return isSame && strlen(phrase) == length && !password.isWiped
    }
  }

  /// Takes as long for texts that differ at the first byte as for texts that differ at the last.
  private func isSameText(as other: UnsafePointer<CChar>) -> Bool {
    let theirs = UnsafeRawBufferPointer(start: other, count: strlen(other))
    guard theirs.count == text.utf8.count else { return false }
    return zip(text.utf8, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension PasswordHash: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  var description: String { "••••••" }
  var debugDescription: String { description }
  var customMirror: Mirror { Mirror(self, children: []) }
}
