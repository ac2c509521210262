import CoordinatorKit
import Glibc

/// A hash to check passwords against. Prints as dots.
struct PasswordHash: Sendable {
  private let text: String

  /// Creates a hash; nil if no password can match, because the account is locked (`!`, `*` or an empty string), or the
  /// method is unknown or outdated.
  init?(_ text: String) {
    guard Crypt.isSound(text) else { return nil }
    self.text = text
  }

  /// Returns whether a password is correct. Blocks for as long as the method takes, whatever the result.
  func matches(_ password: Secret) -> Bool {
    // libcrypt receives a C string, which ends at the first NUL; anything after it must not be ignored.
    let length = password.withBytes { $0.count }
    return password.withCString { phrase in
      let isSame = Crypt.withHash(of: phrase, setting: text) { $0.map(isSameText) ?? false }
      // A password that was wiped in the meantime may have been read as an empty one.
      return isSame && strlen(phrase) == length && !password.isWiped
    }
  }

  /// Compares strings in constant time, regardless of the position of the first difference.
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
