import Glibc
import Platform

/// Whose scripts a process serves. All of them run as the user of the process.
package struct ScriptOwner: Sendable, Hashable {
  /// The name of the user.
  package let user: String
  /// Whether scripts that do not name a user are served.
  package let takesNameless: Bool

  /// Creates an owner.
  package init(user: String, takesNameless: Bool = true) { (self.user, self.takesNameless) = (user, takesNameless) }

  /// The user of this process, with all scripts that do not name one.
  package static var own: ScriptOwner { ScriptOwner(user: ownName) }

  /// The name of the user of this process; its number if it has none.
  package static var ownName: String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(geteuid(), &entry, &buffer, buffer.count, &found) == 0, found != nil else { return "\(geteuid())" }
    return String(cString: entry.pw_name)
  }

  func owns(_ script: Script) -> Bool { script.user.map { $0.bytes.equals(user) } ?? takesNameless }
}
