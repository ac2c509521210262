import CoordinatorKit

/// The form that asks for the passphrase of a network.
struct Passphrase: FormValues {
  enum Secrets: String, SecretNames { case passphrase }

  static let form = TypedForm<Passphrase>(
    .secret(.passphrase, title: "Passphrase", length: 8...63, pattern: "^[ -~]*$").revealable)
}
