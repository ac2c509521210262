// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "greet-people",
  products: [
    .executable(name: "greet-people", targets: ["GreetPeopleDaemon"])
  ],
  dependencies: [
    .package(name: "coordinatord", path: "../../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .executableTarget(
      name: "GreetPeopleDaemon",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoordinatorKit", package: "coordinatord"),
        .product(name: "DaemonCommandLine", package: "coordinatord"),
      ]),
    .testTarget(
      name: "GreetPeopleTests",
      dependencies: ["GreetPeopleDaemon", .product(name: "CoordinatorTestKit", package: "coordinatord")]),
  ]
)
