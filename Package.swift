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
    .library(name: "Hardening", targets: ["Hardening"]),
    .library(name: "TestBus", targets: ["TestBus"]),
    .library(name: "TurnFlow", targets: ["TurnFlow"]),
    .library(name: "CostTrial", targets: ["CostTrial"]),
    .library(name: "fault-injector", type: .dynamic, targets: ["FaultInjector"]),
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
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    .systemLibrary(name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CNCurses", providers: [.apt(["libncurses-dev"])]),
    .systemLibrary(name: "CCrypt", providers: [.apt(["libcrypt-dev"])]),
    .target(name: "ZeroingFree"),
    .target(name: "SignalPipe"),
    .target(name: "Locking", swiftSettings: settings),
    .target(name: "Hardening", dependencies: ["CLinux"], swiftSettings: settings),
    .target(name: "ServiceManager", swiftSettings: settings),
    .target(name: "Suggestions", swiftSettings: settings),
    .target(name: "ConfigurationFiles", dependencies: ["Suggestions"], swiftSettings: settings),
    .target(
      name: "Threads", dependencies: ["CLinux", "Locking", .product(name: "DequeModule", package: "swift-collections")],
      swiftSettings: settings),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: settings),
    .target(
      name: "DBus", dependencies: ["CDBus", "Locking", "Threads", .product(name: "DequeModule", package: "swift-collections")],
      swiftSettings: settings),
    .target(
      name: "CoordinatorKit",
      dependencies: [
        "Locking", .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      swiftSettings: settings),
    .target(name: "CoordinatorTestKit", dependencies: ["CoordinatorKit", "Locking"], swiftSettings: settings),
    .target(name: "CoordinatorBus", dependencies: ["DBus", "CoordinatorKit"], swiftSettings: settings),
    .target(
      name: "CoordinatorJournal",
      dependencies: ["CoordinatorKit", "Locking", "SQLite", "Threads"],
      swiftSettings: settings),
    .target(
      name: "CoordinatorDaemon",
      dependencies: [
        "CoordinatorBus", "CoordinatorJournal", "Hardening", "Locking", "ServiceManager", "Threads",
        .product(name: "HeapModule", package: "swift-collections"), .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: settings),
    .target(
      name: "DaemonCommandLine",
      dependencies: [
        "ConfigurationFiles", "CoordinatorDaemon", "CoordinatorJournal", "DBus", "Hardening", "Locking", "ServiceManager",
        "SignalPipe", "Threads", "ZeroingFree",
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
        "CoordinatorAnswers", "CoordinatorJournal", "CoordinatorTools", "Hardening", "ZeroingFree",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "coordinator-tui",
      dependencies: [
        "CoordinatorTerminal", "CoordinatorTools", "Hardening",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "coordinator-web",
      dependencies: [
        "CoordinatorTools", "CoordinatorWeb", "Hardening", "ServiceManager",
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
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: settings),
    .testTarget(name: "ThreadsTests", dependencies: ["Locking", "Threads"], swiftSettings: settings),
    .testTarget(name: "DBusTests", dependencies: ["DBus", "Locking", "TestBus", "Threads"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorKitTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit", "Locking"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorTestKitTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit"], swiftSettings: settings),
    .testTarget(
      name: "CoordinatorJournalTests",
      dependencies: [
        "CoordinatorJournal", "CoordinatorKit", "CoordinatorTestKit", "FaultyDisk", "JournalWriter", "Locking", "SQLite",
        "TestBus",
      ],
      swiftSettings: settings),
    .target(name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
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
        "CoordinatorDaemon", "CoordinatorClient", "CoordinatorJournal", "CoordinatorTestKit", "DBus", "Flows", "Hardening",
        "Locking", "TestBus",
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
        "CoordinatorBus", "CoordinatorClient", "CrashDaemon", "CrashTrial", "DBus", "HostileDaemon", "Locking", "TestBus",
        "Threads",
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
        "BusLoad", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Locking", "TestBus", "Threads",
        "coordinatord",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Soak", swiftSettings: settings),
    .target(
      name: "CrashTrial",
      dependencies: [
        "BusLoad", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "DBus", "Locking", "SQLite",
        "TestBus",
      ],
      path: "Tests/CrashTrial", swiftSettings: settings),
    .executableTarget(
      name: "CrashDaemon",
      dependencies: [
        "CoordinatorKit", "DaemonCommandLine", "Flows", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/CrashDaemon", swiftSettings: settings),
    .executableTarget(
      name: "crash",
      dependencies: [
        "BusLoad", "CrashDaemon", "CrashTrial", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Crash", swiftSettings: settings),
    .testTarget(
      name: "CrashTrialTests", dependencies: ["CoordinatorBus", "CoordinatorClient", "CrashTrial", "DBus", "TestBus"],
      swiftSettings: settings),
    .systemLibrary(name: "CFaultPlan", path: "Tests/CFaultPlan"),
    .target(name: "FaultInjector", path: "Tests/FaultInjector"),
    .executableTarget(
      name: "FaultDaemon",
      dependencies: [
        "CoordinatorKit", "DaemonCommandLine", "Locking", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/FaultDaemon", swiftSettings: settings),
    .target(
      name: "FaultTrial",
      dependencies: [
        "BusLoad", "CFaultPlan", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "CrashTrial",
        "DBus",
        "Locking", "TestBus",
      ],
      path: "Tests/FaultTrial", swiftSettings: settings),
    .executableTarget(
      name: "faults",
      dependencies: [
        "BusLoad", "FaultDaemon", "FaultTrial", "coordinatord",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Faults", swiftSettings: settings),
    .testTarget(
      name: "FaultTrialTests",
      dependencies: [
        "CFaultPlan", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "CrashTrial", "FaultTrial", "TestBus",
      ],
      path: "Tests/FaultTrialTests", swiftSettings: settings),
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
