import CoordinatorKit

/// The form that asks who will use a machine.
struct Person: FormValues, Hashable {
  var name = ""
  var login = ""
  enum Secrets: String, SecretNames { case password, repeated }

  static let form = TypedForm<Person>(
    .text(\.name, title: "Full name", length: 1...64).meant(for: .name),
    .text(\.login, title: "Log-in name", length: 1...32, pattern: "^[a-z][a-z0-9-]*$").meant(for: .username)
      .example("ada").explained("Use small letters, digits and hyphens."),
    .secret(.password, title: "Password", length: 1...128).optional.meant(for: .newPassword).revealable,
    .secret(.repeated, title: "Password, once more", length: 1...128).optional.meant(for: .newPassword))
}
