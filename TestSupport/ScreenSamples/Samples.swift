import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import DBus

/// Sample screens and windows.
package enum Samples {
  package static let root: ObjectPath = "/org/coordinatord/Coordinator1/flows/pets_1"

  package static let menu = Screen(
    "select-visit-type", kind: .menu, title: "What is the visit for?",
    actions: [Action("well", "A check-up"), Action("sick", "My pet is sick")])

  package static let note = Screen(
    "home", kind: .message, title: "Home", body: "Welcome.\nAll is well.",
    actions: [Action("go", "Go on", role: .primary)])

  package static let list = Screen(
    "products", kind: .list, title: "Products", actions: [Action("check-out", "Check out", role: .primary)],
    items: [Item("lamp", "Lamp", subtitle: "bright"), Item("desk", "Desk")])

  package static let logIn = Screen(
    "log-in", kind: .form, title: "Log in",
    actions: [Action("submit", "Log in", role: .primary), Action("cancel", "Never mind", role: .cancel)],
    form: Form(
      Field("username", .string(title: "Name", length: 1...8)),
      Field("password", .secret(title: "Password", length: 1...128))),
    values: ["username": "demo"])

  /// A form with conditional fields, hints, and a list of small objects.
  package static let network = Screen(
    "network", kind: .form, title: "Network", actions: [Action("connect", "Connect", role: .primary)],
    form: Form(
      Field(
        "security",
        Schema(
          .choice([
            Schema.Choice("open", title: "Open"),
            Schema.Choice("wpa", title: "WPA", annotations: ["description": "With a passphrase"]),
          ]), title: "Security")),
      Field("passphrase", .secret(title: "Passphrase", length: 8...63).revealable.explained("Use 8 to 63 characters."))
        .shown(if: "security", is: "wpa"),
      Field("cache", .integer(title: "Cache", range: 1...64).measured(in: "MB").example(16)).optional,
      Field("notes", .multilineText(title: "Notes")).optional,
      Field("hosts", .array(of: .object(host), title: "Hosts")).optional))

  private static let host = [
    Field("ip", .ipAddress(title: "IP address")), Field("name", .string(title: "Name", length: 1...20)).optional,
  ]

  package static let busy = Screen(
    "log-in", kind: .form, title: "Log in", actions: [Action("cancel", "Never mind", role: .cancel)],
    progress: Progress(text: "Asking"))

  package static func presented(_ screen: Screen, id: UInt64 = 1, back: Bool = true) -> PresentedScreen {
    PresentedScreen(id: id, coordinator: root, style: .push, layer: 0, back: back, screen: screen)
  }

  package static func window(_ revision: UInt64, _ screens: PresentedScreen...) -> MirroredWindow {
    MirroredWindow(revision: revision, screens: screens)
  }

  package static func unknownObject() -> ClientError { .failed(.unknownObject("gone")) }
}
