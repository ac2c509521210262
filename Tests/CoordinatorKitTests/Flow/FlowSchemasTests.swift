import CoordinatorKit
import Testing

@Suite("The schemas of what flows return and emit", .timeLimit(.minutes(5)))
struct FlowSchemasTests {
  private actor Scanner: Coordinator {
    static let flow = FlowDescription("scanner", title: "Scanner")
    enum Route: Codable { case only }

    struct Result: FormValues {
      var pages: Int
      var name: String?
      static let form = TypedForm<Result>(.integer(\.pages, title: "Pages", range: 1...), .text(\.name, title: "Name"))
    }

    struct Output: FormValues {
      var page: Int
      static let form = TypedForm<Output>(.integer(\.page, title: "Page"))
    }

    let context = Context()
    func start() { router.present(.only) }
    func screen(for route: Route) -> Screen { .message("only", title: "Scanner") }
  }

  private actor Silent: Coordinator {
    static let flow = FlowDescription("silent", title: "Silent")
    enum Route: Codable { case only }
    let context = Context()
    func start() { router.present(.only) }
    func screen(for route: Route) -> Screen { .message("only", title: "Silent") }
  }

  private actor Undeclared: Coordinator {
    static let flow = FlowDescription("undeclared", title: "Undeclared")
    enum Route: Codable { case only }
    struct Result: Codable { var count: Int }
    enum Output: Codable { case page(Int) }
    let context = Context()
    func start() { router.present(.only) }
    func screen(for route: Route) -> Screen { .message("only", title: "Undeclared") }
  }

  private actor Careless: Coordinator {
    static let flow = FlowDescription("careless", title: "Careless")
    enum Route: Codable { case only }
    struct Result: FormValues {
      var pages: Int
      static let form = TypedForm<Result>()
    }
    let context = Context()
    func start() { router.present(.only) }
    func screen(for route: Route) -> Screen { .message("only", title: "Careless") }
  }

  private func catalogue() throws -> FlowCatalogue {
    var catalogue = FlowCatalogue()
    try catalogue.add { Scanner() }
    try catalogue.add { Silent() }
    try catalogue.add { Undeclared() }
    try catalogue.add { Careless() }
    return catalogue
  }

  @Test("A result and an output that declare their fields have schemas")
  func declaredTypesHaveSchemas() throws {
    let schemas = try #require(try catalogue().schemas(of: "scanner"))
    #expect(schemas.result?.fields.map(\.name) == ["name", "pages"])
    #expect(schemas.result?.fields.map(\.isRequired) == [false, true])
    #expect(schemas.output?.fields.map(\.name) == ["page"])
  }

  @Test("A flow without a result returns an empty object, and one without outputs has no schema of them")
  func flowWithoutResultReturnsEmptyObject() throws {
    let schemas = try #require(try catalogue().schemas(of: "silent"))
    #expect(schemas.result == .object())
    #expect(schemas.output == nil)
  }

  @Test("Of types that declare nothing, or something that does not fit them, there are no schemas")
  func undeclaredTypesHaveNone() throws {
    for name in ["undeclared", "careless"] { #expect(try catalogue().schemas(of: name)?.output == nil) }
    for name in ["undeclared", "careless"] { #expect(try catalogue().schemas(of: name)?.result == nil) }
    #expect(try catalogue().schemas(of: "nothing") == nil)
  }
}
