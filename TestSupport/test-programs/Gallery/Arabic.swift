import CoordinatorKit

/// A flow with right-to-left screens that also contain some left-to-right words.
actor Arabic: Coordinator {
  static let flow = FlowDescription("arabic", title: "العربية", summary: "شاشات تُقرأ من اليمين إلى اليسار.")

  enum Route: Codable, CaseIterable { case menu, form }
  struct State: FlowState {}

  let context = Context()

  func start() { router.present(.menu) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .menu:
      .menu(
        "menu", title: "ماذا تريد أن تفعل؟", body: "اختر واحدة مما يلي.",
        choices: [Action("form", "املأ النموذج"), Action("english", "Continue in English")])
    case .form:
      .form(
        "form", title: "بياناتك", body: "نحتاج إلى هذه البيانات لحجز موعدك.",
        form: Form(
          Field("name", .string(title: "الاسم", summary: "كما في جواز السفر.", length: 1...64)),
          Field("mail", .email(title: "E-mail")).optional,
          Field("size", .choice(title: "المقاس", [("s", "صغير"), ("m", "Medium")]))),
        actions: [.primary("send", "إرسال"), .cancel("never", "إلغاء")],
        messages: [.warning("late", "المواعيد قليلة اليوم.")])
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    switch (route, event.name) {
    case (.menu, _): router.present(.form)
    case (.form, _): router.dismiss()
    }
  }
}
