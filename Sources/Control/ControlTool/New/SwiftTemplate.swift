/// A new flow that is a program in Swift.
struct SwiftTemplate: Sendable {
  private let name: String
  private let checkout: String?

  init(_ name: String, checkout: String?) { (self.name, self.checkout) = (name, checkout) }

  /// The name of the coordinator's type: `MakeCoffee`.
  private var type: String { name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined() }
  /// The name of the module, which must not be that of the type.
  private var module: String { "\(type)Provider" }
  private var busName: String { "com.example.\(type)" }

  /// The files, and the commands that try them.
  var contents: (files: [NewFlow.File], commands: [String]) {
    (
      [
        NewFlow.File(path: "\(name)/Package.swift", text: package),
        NewFlow.File(path: "\(name)/Sources/\(module)/\(type).swift", text: flow),
        NewFlow.File(path: "\(name)/Sources/\(module)/Main.swift", text: main),
        NewFlow.File(path: "\(name)/Tests/\(type)Tests/\(type)Tests.swift", text: test),
      ],
      ["cd \(name)", "swift test", "swift run \(module) &", "coordinator-tui \(name)"]
    )
  }

  private var package: String {
    let dependency =
      checkout.map { ".package(name: \"coordinatord\", path: \"\($0)\")" }
      ?? ".package(url: \"https://github.com/coordinatord/coordinatord\", branch: \"main\")"
    return """
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "\(name)",
        dependencies: [
          \(dependency)
        ],
        targets: [
          .executableTarget(
            name: "\(module)",
            dependencies: [
              .product(name: "CoordinatorKit", package: "coordinatord"),
              .product(name: "CoordinatorProvider", package: "coordinatord"),
            ]),
          .testTarget(
            name: "\(type)Tests",
            dependencies: ["\(module)", .product(name: "CoordinatorTestKit", package: "coordinatord")]),
        ]
      )

      """
  }

  private var flow: String {
    """
    import CoordinatorKit

    actor \(type): Coordinator {
      static let flow = FlowDescription("\(name)", title: "\(NewFlow.title(name))")

      enum Route: Codable, CaseIterable { case word, greeted }
      struct State: FlowState { var word = Word.hello }
      struct Result: Codable { var word: Word }

      let context = Context()

      func start() { router.present(.word) }

      func screen(for route: Route) -> Screen {
        switch route {
        case .word: .menu("word", title: "How do you want to be greeted?", choices: Word.allCases)
        case .greeted: .message("greeted", title: "Greeted", body: state.word.title, actions: [.primary("okay", "Okay")])
        }
      }

      func receive(_ event: Event, on route: Route) throws {
        switch route {
        case .word:
          state.word = try event.choice()
          router.present(.greeted)
        case .greeted: try finish(Result(word: state.word))
        }
      }
    }

    enum Word: String, Codable, CaseIterable, MenuChoice {
      case hello, welcome

      var title: Text { self == .hello ? "Hello" : "Welcome" }
    }

    """
  }

  private var main: String {
    """
    import CoordinatorProvider

    @main
    struct Main {
      static func main() async { await ProviderDaemon.run(name: "\(busName)") { try $0.add { \(type)() } } }
    }

    """
  }

  private var test: String {
    """
    import CoordinatorTestKit
    import Testing

    @testable import \(module)

    @Test("whoever wants to be welcome is")
    func greeted() async throws {
      let flow = try await TestFlow.start { \(type)() }
      try await flow.send("welcome")
      #expect(try await flow.names == ["word", "greeted"])
      try await flow.send("okay")
      #expect(try await flow.outcome == .finished(["word": "welcome"]))
    }

    @Test("every way through is walked")
    func explored() async throws {
      try await FlowExplorer { \(type)() }.walk().expect(screens: ["word", "greeted"])
    }

    """
  }
}
