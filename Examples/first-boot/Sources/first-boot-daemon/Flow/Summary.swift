import CoordinatorKit

/// What the machine has become: the result of ``FirstBoot``.
struct Summary: FormValues, Hashable {
  var language: String
  var keyboard: String
  var timeZone: String
  var hostName: String
  var network: String?
  var login: String
  var applied: [SetupStep]
  var notApplied: [SetupStep]

  static let form = TypedForm<Summary>(
    .text(\.language, title: "Language"),
    .text(\.keyboard, title: "Keyboard"),
    .text(\.timeZone, title: "Time zone"),
    .text(\.hostName, title: "Host name"),
    .text(\.network, title: "Network"),
    .text(\.login, title: "Log-in name"),
    .choices(\.applied, title: "Applied"),
    .choices(\.notApplied, title: "Not applied"))
}
