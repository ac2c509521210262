/// The account that is used without an account file, for demonstration.
enum DemoAccount {
  /// The user `demo`, with the password given in the documentation.
  static let hashes = ["demo": "$y$j9T$ln7EKTfxYumo4CdERiFGd.$FQKXUvIfo5mLZaGKUMpV9C0KiWAZCIe1rflCRlw39u9"]
}
