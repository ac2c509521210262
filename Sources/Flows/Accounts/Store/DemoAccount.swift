/// The account that there is without a file: for trying things out.
enum DemoAccount {
  /// `demo`, with the password that the documentation names.
  static let hashes = ["demo": "$y$j9T$ln7EKTfxYumo4CdERiFGd.$FQKXUvIfo5mLZaGKUMpV9C0KiWAZCIe1rflCRlw39u9"]
}
