import CoordinatorKit

/// How a machine gets its address in a network, and the form that asks for it.
struct Addressing: FormValues, Hashable {
  enum Method: String, Codable, CaseIterable, MenuChoice {
    case automatic, manual

    var title: Text { self == .automatic ? "Automatic" : "Manual" }
  }

  var method = Method.automatic
  /// The address with the length of its prefix, such as `192.0.2.5/24`.
  var address: String?
  var gateway: String?
  var nameServer: String?

  static let form = TypedForm<Addressing>(
    .choice(\.method, title: "Address", default: .automatic),
    .text(\.address, title: "IP address and prefix", pattern: "^([0-9]{1,3}\\.){3}[0-9]{1,3}/(3[0-2]|[12]?[0-9])$")
      .example("192.0.2.5/24").shown(if: \.method, is: .manual),
    .text(\.gateway, title: "Gateway", format: .ipv4).example("192.0.2.1").shown(if: \.method, is: .manual),
    .text(\.nameServer, title: "Name server", format: .ipv4).example("192.0.2.1").shown(if: \.method, is: .manual).optional)
}
