import CoordinatorBus
import CoordinatorClient
import CoordinatorKit

@testable import CoordinatorWeb

/// Sample data that several tests render.
enum Samples {
  static let links = Links(Entrance())
  static let token = FormToken(csrf: Token())
  /// Markup that must never be interpreted, wherever a flow puts it.
  static let hostile = "</title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&amp;\u{0}\u{1b}[2J"

  /// Returns a window with the screens on top of each other.
  static func window(
    _ screens: [Screen], layers: [UInt32] = [], back: Bool = true
  ) -> MirroredWindow {
    let presented = screens.enumerated().map { index, screen in
      PresentedScreen(
        id: UInt64(index + 1), coordinator: "/org/coordinatord/Coordinator1/flows/pets_1",
        style: layers.dropFirst(index).first ?? 0 > 0 ? .modal : .push, layer: layers.dropFirst(index).first ?? 0, back: back,
        screen: screen)
    }
    return MirroredWindow(revision: 7, screens: presented)
  }

  /// Returns the page of a screen.
  static func page(_ screen: Screen, draft: Draft? = nil, notice: PageNotice? = nil) -> String {
    var page = ScreenPage(window([screen]), of: "pets_1", links: links, token: token)
    page?.draft = draft
    page?.notice = notice
    return page?.html.markup ?? ""
  }

  static let logIn = Screen.form(
    "log-in", title: "Log in",
    form: Form(
      Field("username", .string(title: "User name", length: 1...64)),
      Field("password", .secret(title: "Password", length: 1...128))),
    values: ["username": "anna", "password": "never"], actions: [.cancel("cancel", "Cancel"), .primary("submit", "Log in")])
}
