import CoordinatorKit

/// The person who will use a machine, and the form that asks for it.
struct Person: FormValues, Hashable {
  var name = ""
  var login = ""
  enum Secrets: String, SecretNames { case password, repeated }

  // A line break would end the line for chpasswd(8), and begin the line of another user.
  private static let oneLine: Pattern = "^[^\\u0000-\\u001f\\u007f]*$"

  static let form = TypedForm<Person>(
    // The colon and the comma separate the fields of passwd(5) and of the full name in it.
    .text(\.name, title: "Full name", length: 1...64, pattern: "^[^:,=\\u0000-\\u001f\\u007f]+$").meant(for: .name)
      .explained("Leave out colons, commas and equals signs."),
    .text(\.login, title: "Log-in name", length: 1...32, pattern: "^[a-z][a-z0-9-]*$").meant(for: .username)
      .example("ada").explained("Use small letters, digits and hyphens."),
    .secret(.password, title: "Password", length: 8...128, pattern: oneLine).optional.meant(for: .newPassword).revealable,
    .secret(.repeated, title: "Password, once more", length: 8...128, pattern: oneLine).optional.meant(for: .newPassword))
}
