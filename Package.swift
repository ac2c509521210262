// swift-tools-version: 6.2
import PackageDescription

/// CI sets this, so that a warning fails the build there and only annoys elsewhere.
let strict: [SwiftSetting] = Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]
let settings: [SwiftSetting] = strict + [.enableUpcomingFeature("ExistentialAny")]

let package = Package(
  name: "coordinatord",
  products: [
    .library(name: "DBus", targets: ["DBus"]),
    .library(name: "CoordinatorKit", targets: ["CoordinatorKit"]),
    .library(name: "CoordinatorTestKit", targets: ["CoordinatorTestKit"]),
    .library(name: "CoordinatorDaemon", targets: ["CoordinatorDaemon"]),
    .library(name: "CoordinatorJournal", targets: ["CoordinatorJournal"]),
    .library(name: "ConfigurationFiles", targets: ["ConfigurationFiles"]),
    .library(name: "DaemonCommandLine", targets: ["DaemonCommandLine"]),
    .library(name: "CoordinatorClient", targets: ["CoordinatorClient"]),
    .library(name: "CoordinatorWeb", targets: ["CoordinatorWeb"]),
    .library(name: "Accounts", targets: ["Accounts"]),
    .library(name: "Flows", targets: ["Flows"]),
    .library(name: "TestBus", targets: ["TestBus"]),
    .library(name: "TurnFlow", targets: ["TurnFlow"]),
    .library(name: "CostTrial", targets: ["CostTrial"]),
    .executable(name: "coordinatord", targets: ["coordinatord"]),
    .executable(name: "coordinatorctl", targets: ["coordinatorctl"]),
    .executable(name: "coordinator-tui", targets: ["coordinator-tui"]),
    .executable(name: "coordinator-web", targets: ["coordinator-web"]),
    .executable(name: "renderer-trial", targets: ["renderer-trial"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .target(name: "ZeroingFree"),
    .target(name: "SignalPipe"),
    .target(name: "Locking", swiftSettings: settings),
    .target(name: "ServiceManager", swiftSettings: settings),
    .target(name: "Suggestions", swiftSettings: settings),
    .target(name: "ConfigurationFiles", dependencies: ["Suggestions"], swiftSettings: settings),
    .target(
      name: "Threads", dependencies: ["CLinux", "Locking", .product(name: "DequeModule", package: "swift-collections")],
      swiftSettings: settings),
    .target(
      name: "DBus", dependencies: ["CDBus", "Locking", "Threads", .product(name: "DequeModule", package: "swift-collections")],
      swiftSettings: settings),
    .target(
      name: "CoordinatorKit", dependencies: ["Locking", .product(name: "HashTreeCollections", package: "swift-collections")],
      swiftSettings: settings),
    .target(name: "CoordinatorTestKit", dependencies: ["CoordinatorKit", "Locking"], swiftSettings: settings),
    .target(name: "CoordinatorBus", dependencies: ["DBus", "CoordinatorKit"], swiftSettings: settings),
    .target(
      name: "CoordinatorJournal",
      dependencies: ["CoordinatorKit", "Locking", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings),
    .target(
      name: "CoordinatorDaemon",
      dependencies: [
        "CLinux", "CoordinatorBus", "CoordinatorJournal", "Locking", "ServiceManager", "Threads",
        .product(name: "DequeModule", package: "swift-collections"), .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaemonCommandLine",
      dependencies: [
        "ConfigurationFiles", "CoordinatorDaemon", "CoordinatorJournal", "DBus", "Locking", "ServiceManager", "SignalPipe",
        "Threads", "ZeroingFree",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .target(name: "CoordinatorClient", dependencies: ["CoordinatorBus"], swiftSettings: settings),
    .target(
      name: "CoordinatorAnswers", dependencies: ["CoordinatorKit", .product(name: "Yams", package: "Yams")],
      swiftSettings: settings),
    .target(
      name: "CoordinatorTools",
      dependencies: [
        "CoordinatorAnswers", "CoordinatorClient", "CoordinatorJournal", "Locking", "Suggestions",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .target(
      name: "CoordinatorWeb",
      dependencies: [
        "CoordinatorClient", "CoordinatorTools", "Locking", "ServiceManager", .product(name: "FlyingSocks", package: "FlyingFox"),
      ],
      resources: [.embedInCode("Assets/coordinator.css"), .embedInCode("Assets/coordinator.js")],
      swiftSettings: settings),
    .target(
      name: "CoordinatorTerminal",
      dependencies: [
        "CNCurses", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "CoordinatorTools", "DBus", "Locking", "Threads",
      ],
      swiftSettings: settings),
    .target(
      name: "Accounts", dependencies: ["CCrypt", "CLinux", "CoordinatorKit", "Locking", "Threads"], swiftSettings: settings),
    .target(
      name: "Flows", dependencies: ["Accounts", "CoordinatorKit", "Locking"],
      resources: [
        .embedInCode("Kanji/kanji.json"), .embedInCode("Shop/products.json"), .embedInCode("Quotes/quotes.json"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "coordinatord",
      dependencies: [
        "Accounts", "ConfigurationFiles", "CoordinatorDaemon", "DaemonCommandLine", "Flows",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "coordinatorctl",
      dependencies: [
        "CoordinatorAnswers", "CoordinatorJournal", "CoordinatorTools", "ZeroingFree",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "coordinator-tui",
      dependencies: [
        "CoordinatorTerminal", "CoordinatorTools", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "coordinator-web",
      dependencies: [
        "CoordinatorTools", "CoordinatorWeb", "ServiceManager",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .target(
      name: "RendererTrial",
      dependencies: ["BusLoad", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Locking", "TestBus"],
      swiftSettings: settings),
    .executableTarget(
      name: "renderer-trial",
      dependencies: [
        "CoordinatorKit", "DaemonCommandLine", "RendererTrial", "TestBus",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .testTarget(name: "ServiceManagerTests", dependencies: ["ServiceManager"], swiftSettings: settings),
    .testTarget(name: "SuggestionsTests", dependencies: ["Suggestions"], swiftSettings: settings),
    .testTarget(name: "ConfigurationFilesTests", dependencies: ["ConfigurationFiles"], swiftSettings: settings),
    .testTarget(name: "ThreadsTests", dependencies: ["Locking", "Threads"], swiftSettings: settings),
    .testTarget(name: "DBusTests", dependencies: ["DBus", "Locking", "TestBus", "Threads"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorKitTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit", "Locking"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorTestKitTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorJournalTests",
      dependencies: [
        "CoordinatorJournal", "CoordinatorKit", "CoordinatorTestKit", "JournalWriter", "Locking", "TestBus",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "JournalWriter", dependencies: ["CoordinatorJournal", "CoordinatorKit", "CoordinatorTestKit"],
      path: "Tests/JournalWriter", swiftSettings: settings),
    .testTarget(name: "CoordinatorBusTests", dependencies: ["CoordinatorBus"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorClientTests", dependencies: ["CoordinatorClient", "TestBus"], swiftSettings: settings),
    .testTarget(name: "CoordinatorWebTests", dependencies: ["CoordinatorWeb"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorTerminalTests",
      dependencies: [
        "CNCurses", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "CoordinatorTerminal", "CoordinatorTools", "DBus",
        "TestBus",
      ],
      swiftSettings: settings),
    .testTarget(name: "CoordinatorAnswersTests", dependencies: ["CoordinatorAnswers"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorToolsTests", dependencies: ["CoordinatorAnswers", "CoordinatorTools", "TestBus"],
      swiftSettings: settings),
    .testTarget(
      name: "CoordinatorDaemonTests",
      dependencies: [
        "CoordinatorDaemon", "CoordinatorClient", "CoordinatorTestKit", "DBus", "Flows", "TestBus",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DaemonCommandLineTests",
      dependencies: [
        "ConfigurationFiles", "CoordinatorDaemon", "CoordinatorJournal", "DBus", "DaemonCommandLine",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RendererTrialTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit", "RendererTrial"],
      swiftSettings: settings),
    .testTarget(name: "AccountsTests", dependencies: ["Accounts", "CoordinatorKit", "Locking"], swiftSettings: settings),
    .testTarget(name: "FlowsTests", dependencies: ["Accounts", "Flows", "CoordinatorTestKit"], swiftSettings: settings),
    .testTarget(
      name: "IntegrationTests",
      dependencies: [
        "CoordinatorBus", "CoordinatorClient", "CrashTrial", "DBus", "HostileDaemon", "Locking", "TestBus", "Threads",
        "bus-fuzzer", "coordinatord", "coordinatorctl", "coordinator-tui", "coordinator-web", "GalleryDaemon", "renderer-trial",
        "soak",
      ],
      exclude: ["Clients"],
      swiftSettings: settings),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "CoordinatorClient", "CoordinatorDaemon", "CoordinatorTestKit", "DBus", "Flows", "TestBus",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: settings),
    .target(name: "HostileFlows", dependencies: ["CoordinatorKit"], path: "Tests/HostileFlows", swiftSettings: settings),
    .executableTarget(
      name: "HostileDaemon",
      dependencies: [
        "CoordinatorKit", "DaemonCommandLine", "Flows", "HostileFlows",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/HostileDaemon", swiftSettings: settings),
    .executableTarget(
      name: "GalleryDaemon",
      dependencies: [
        "CoordinatorKit", "DaemonCommandLine", "Flows", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/GalleryDaemon", swiftSettings: settings),
    .target(
      name: "BusLoad", dependencies: ["CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "TestBus"],
      path: "Tests/BusLoad", swiftSettings: settings),
    .executableTarget(
      name: "bus-fuzzer",
      dependencies: [
        "BusLoad", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Locking", "TestBus", "coordinatord",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/BusFuzzer", swiftSettings: settings),
    .executableTarget(
      name: "soak",
      dependencies: [
        "BusLoad", "CoordinatorBus", "CoordinatorClient", "DBus", "Locking", "TestBus", "coordinatord",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Soak", swiftSettings: settings),
    .target(
      name: "CrashTrial",
      dependencies: [
        "BusLoad", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "DBus", "Locking", "TestBus",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/CrashTrial", swiftSettings: settings),
    .executableTarget(
      name: "crash",
      dependencies: [
        "BusLoad", "CrashTrial", "coordinatord", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Crash", swiftSettings: settings),
    .testTarget(
      name: "CrashTrialTests", dependencies: ["CoordinatorBus", "CoordinatorClient", "CrashTrial", "DBus", "TestBus"],
      swiftSettings: settings),
    .target(name: "TurnFlow", dependencies: ["CoordinatorKit"], path: "Tests/TurnFlow", swiftSettings: settings),
    .target(name: "CostProbe", path: "Tests/CostProbe"),
    .target(
      name: "CostTrial",
      dependencies: [
        "BusLoad", "CDBus", "CoordinatorBus", "CoordinatorClient", "CostProbe", "DaemonCommandLine", "DBus",
        "TestBus", "TurnFlow", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/CostTrial", swiftSettings: settings),
    .executableTarget(name: "costs", dependencies: ["CostTrial"], path: "Tests/Costs", swiftSettings: settings),
    .testTarget(name: "CostTrialTests", dependencies: ["CostTrial"], swiftSettings: settings),
    .target(name: "TestBus", dependencies: ["Locking"], path: "Tests/TestBus", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
