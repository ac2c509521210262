/// The answers of a user: the settings that a machine is to have.
struct Answers: Codable, Hashable, Sendable {
  /// A locale, such as `de_DE.UTF-8`.
  var language = ""
  var keyboard = ""
  var timeZone = ""
  var host = Host()
  /// Nil if the network is skipped.
  var network: NetworkPlan?
  var user = Person()
}
