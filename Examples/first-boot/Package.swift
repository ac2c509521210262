// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "first-boot",
  dependencies: [
    .package(name: "coordinatord", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "first-boot-daemon",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoordinatorKit", package: "coordinatord"),
        .product(name: "DBus", package: "coordinatord"),
        .product(name: "DaemonCommandLine", package: "coordinatord"),
      ]),
    .testTarget(
      name: "FirstBootTests",
      dependencies: ["first-boot-daemon", .product(name: "CoordinatorTestKit", package: "coordinatord")]),
  ]
)

// Warnings are errors where CI builds this.
if Context.environment["WARNINGS_AS_ERRORS"] != nil {
  for target in package.targets { target.swiftSettings = [.treatAllWarnings(as: .error)] }
}
