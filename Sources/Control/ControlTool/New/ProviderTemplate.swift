/// A new flow that is a program in Swift, which serves the flow to coordinatord.
struct ProviderTemplate: Sendable {
  private let name: String
  private let package: SwiftPackage

  init(_ name: String, checkout: String?) {
    self.name = name
    // The name of a module must not be that of the type.
    package = SwiftPackage(name: name, checkout: checkout, module: "\(SwiftPackage.type(name))Provider")
  }

  private var type: String { SwiftPackage.type(name) }

  /// The files, and the commands that try them.
  var contents: (files: [NewFlow.File], commands: [String]) {
    (
      [
        NewFlow.File(path: "\(name)/Package.swift", text: manifest),
        NewFlow.File(path: "\(name)/Sources/\(package.module)/\(type).swift", text: package.flow),
        NewFlow.File(path: "\(name)/Sources/\(package.module)/Main.swift", text: main),
        NewFlow.File(path: "\(name)/Tests/\(type)Tests/\(type)Tests.swift", text: package.test),
      ],
      ["cd \(name)", "swift test", "swift run \(package.module) &", "coordinator-tui \(name)"]
    )
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      dependencies: [
        \(package.dependency)
      ],
      targets: [
        .executableTarget(
          name: "\(package.module)",
          dependencies: [
            .product(name: "CoordinatorKit", package: "coordinatord"),
            .product(name: "CoordinatorProvider", package: "coordinatord"),
          ]),
        .testTarget(
          name: "\(type)Tests",
          dependencies: ["\(package.module)", .product(name: "CoordinatorTestKit", package: "coordinatord")]),
      ]
    )

    """
  }

  private var main: String {
    """
    import CoordinatorProvider

    @main
    struct Main {
      static func main() async { await ProviderDaemon.run(name: "com.example.\(type)") { try $0.add { \(type)() } } }
    }

    """
  }
}
