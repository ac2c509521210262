/// Hashes with known passwords, from the known-answer tests of libxcrypt.
enum Hashes {
  /// The password of most of the hashes.
  static let password = "Hello world!"
  /// The hash that is cheapest to check: about 1 ms.
  static let bcrypt = "$2b$04$abcdefghijklmnopqrstuuyeG8laUfZvsCmc.AE6qIDYSPGM2efmK"
  static let sha512crypt =
    "$6$saltstring$svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1"
  static let gostYescrypt = "$gy$j75$LdJMENpBABJJ3hIHjB1Bi.$5jeCDa.gqje1rkEFrCfYWc0atZtZSqocZrak0uAbf18"
  /// A hash of the password `U*U`.
  static let yescrypt = "$y$j75$LdJMENpBABJJ3hIHjB1Bi.$qg5uCaJyN9mqNwXudbDtC1qEOS/SINLqwjTdEN5xk52"
  /// A hash of the empty password.
  static let emptyPassword = "$y$j75$LdJMENpBABJJ3hIHjB1Bi.$tUlUF19mIl6XpRTpX7LBp5ABKS8KSmDfP1gXFrZ6Sy8"
  /// A hash of the password `étude`.
  static let accented = "$2b$04$CCCCCCCCCCCCCCCCCCCCC.TszY8.avBpwJ6xbNjwws3SKBbK6kj6S"
}
