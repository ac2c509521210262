// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "coffee-daemon",
  dependencies: [
    .package(name: "coordinatord", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "coffee-daemon",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoordinatorKit", package: "coordinatord"),
        .product(name: "DaemonCommandLine", package: "coordinatord"),
        .product(name: "Flows", package: "coordinatord"),
      ]),
    .testTarget(
      name: "CoffeeTests", dependencies: ["coffee-daemon", .product(name: "CoordinatorTestKit", package: "coordinatord")]),
  ]
)

// Warnings are errors where CI builds this.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
