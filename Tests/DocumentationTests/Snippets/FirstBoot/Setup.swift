/// The answers to ``FirstBoot``, which are also its result.
struct Setup: Codable, Hashable {
  var timeZone = "Europe/Berlin"
  var user = Person()
  var host = Host()
  /// The network that the machine has joined; nil if the step was skipped.
  var network: String?
}
