import CoordinatorKit
import Languages

/// A flow whose language its user changes while it is shown.
actor Tongues: Coordinator {
  static let flow = FlowDescription("tongues", title: "Languages", summary: "A screen that is shown in another language.")

  enum Route: RouteValue { case only }

  let context = Context()

  func start() { router.present(.only) }

  func screen(for route: Route) -> Screen {
    .menu("tongues", title: "Which language?", choices: [Action("de", "German"), Action("en", "English")])
  }

  func receive(_ event: Event, on route: Route) throws { setLanguage(try LanguageTag(event.name)) }
}
