// swift-tools-version: 6.2
import PackageDescription

/// Built by `make fuzz-parsers` with `-sanitize=fuzzer,address` for all modules; it does not link without.
let package = Package(
  name: "parser-fuzzer",
  dependencies: [.package(name: "coordinatord", path: "..")],
  targets: [
    .target(name: "CFuzzer"),
    .executableTarget(
      name: "parser-fuzzer",
      dependencies: [
        "CFuzzer",
        .product(name: "CoordinatorDaemon", package: "coordinatord"),
        .product(name: "CoordinatorKit", package: "coordinatord"),
        .product(name: "CoordinatorProvider", package: "coordinatord"),
        .product(name: "DBus", package: "coordinatord"),
        .product(name: "Flows", package: "coordinatord"),
        .product(name: "_Parsers", package: "coordinatord"),
      ],
      swiftSettings: [.enableUpcomingFeature("ExistentialAny")]),
  ],
  swiftLanguageModes: [.v6]
)
