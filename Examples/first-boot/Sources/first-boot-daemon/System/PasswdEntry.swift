import Glibc

/// A user's entry in passwd(5).
struct PasswdEntry {
  var id: uid_t
  var fullName: String
  var home: String

  init?(_ fields: [Substring]) {
    guard fields.count > 5, let id = uid_t(fields[2]) else { return nil }
    (self.id, fullName, home) = (id, String(fields[4].prefix { $0 != "," }), String(fields[5]))
  }

  /// Whether the user has a home directory. useradd(8) creates it as its last action, and gives it to the user.
  var ownsHome: Bool {
    var status = stat()
    return stat(home, &status) == 0 && status.st_uid == id
  }
}
