// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]
let settings: [SwiftSetting] = strict + [.enableUpcomingFeature("ExistentialAny")]

/// What coordinatord costs beside a C program that does the same bus work; run by `make bench`.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "coordinatord", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
  ],
  targets: [
    .systemLibrary(name: "CBareDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CGio", pkgConfig: "gio-unix-2.0", providers: [.apt(["libglib2.0-dev"])]),
    .executableTarget(name: "bare-daemon", dependencies: ["CBareDBus"]),
    .executableTarget(name: "gdbus-daemon", dependencies: ["CGio"]),
    .executableTarget(name: "broker-launch", dependencies: ["CGio"]),
    .executableTarget(name: "bus-load", dependencies: ["CBareDBus"]),
    .executableTarget(
      name: "bench-daemon",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoordinatorKit", package: "coordinatord"),
        .product(name: "DaemonCommandLine", package: "coordinatord"),
        .product(name: "_TestFlows", package: "coordinatord"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "bench-provider",
      dependencies: [
        .product(name: "CoordinatorKit", package: "coordinatord"),
        .product(name: "CoordinatorProvider", package: "coordinatord"),
        .product(name: "_TestFlows", package: "coordinatord"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "costs", dependencies: [.product(name: "_CostTrial", package: "coordinatord")], swiftSettings: settings),
    .executableTarget(
      name: "bench",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "_TestBus", package: "coordinatord"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
