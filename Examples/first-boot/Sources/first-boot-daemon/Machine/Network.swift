/// A network within reach: a wireless one, or the one that a cable leads to.
struct Network: Codable, Hashable, Sendable {
  /// The name of a wireless network, or the interface of a wired one.
  var name: String
  var isWired = false
  var isSecured = false
  /// The strength of its signal in percent.
  var strength = 100
}
