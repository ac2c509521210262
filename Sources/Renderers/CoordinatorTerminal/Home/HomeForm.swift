import CoordinatorBus
import CoordinatorClient
import CoordinatorKit
import Languages
import RendererKit

/// The form for the input of a flow that is started from the front door.
struct HomeForm: Sendable, Hashable {
  /// The event of the choice that cancels.
  static let cancel = "cancel"

  let flow: FlowListing
  /// The form as a screen.
  var view: ScreenView

  init(_ flow: FlowListing, language: LanguageTag?) {
    self.flow = flow
    let input = flow.input ?? .object()
    let screen = Screen(
      "start", kind: .form, title: flow.readableTitle(in: language).text,
      body: flow.summary(in: language).text,
      actions: [
        .primary("start", Text("Start", context: "verb")), .cancel(Self.cancel, "Cancel"),
      ], form: try? Form(schema: input, order: input.fields.map(\.name)))
    view = ScreenView(
      PresentedScreen(id: 0, coordinator: Contract.flowsPath, style: .modal, layer: 1, back: true, screen: screen))
  }
}
