// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "greet-people",
  dependencies: [
    .package(name: "coordinatord", path: "../../..")
  ],
  targets: [
    .executableTarget(
      name: "GreetPeopleProvider",
      dependencies: [
        .product(name: "CoordinatorKit", package: "coordinatord"),
        .product(name: "CoordinatorProvider", package: "coordinatord"),
      ]),
    .testTarget(
      name: "GreetPeopleTests",
      dependencies: ["GreetPeopleProvider", .product(name: "CoordinatorTestKit", package: "coordinatord")]),
  ]
)
