// swift-tools-version: 6.2
import PackageDescription

/// Set by CI, where a warning fails the build.
let strict: [SwiftSetting] = Context.environment["WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]
let settings: [SwiftSetting] = strict + [.enableUpcomingFeature("ExistentialAny")]

/// The parts to leave out, separated by spaces, because the toolchain or the C library has changed something that they depend on:
/// `CustomExecutors`, `ZeroingFree`. See CONTRIBUTING.md. They are not traits: SwiftPM passes those to the compiler in the order of
/// a hash table, which differs from one process to the next, so that builds of this package, and of all that depend on it, would
/// start over at random.
let omitted = Set((Context.environment["COORDINATORD_WITHOUT"] ?? "").split(separator: " "))

/// Runs a daemon's tasks on threads that sleep when idle, by an experimental interface of Swift's.
let customExecutors: [SwiftSetting] = omitted.contains("CustomExecutors") ? [] : [.define("CustomExecutors")]

/// The replacement of free(), which overwrites all memory that a program frees. It is linked without being imported.
let zeroingFree: [Target.Dependency] = omitted.contains("ZeroingFree") ? [] : ["ZeroingFree"]

/// The base of all parts: locks, threads, signals, and the functions of the system.
let platform: [Target] = [
  .target(name: "CPlatform", path: "Sources/Platform/CPlatform"),
  .target(name: "CLoading", path: "Sources/Platform/CLoading"),
  .target(name: "ZeroingFree", path: "Sources/Platform/ZeroingFree"),
  .target(
    name: "Platform", dependencies: ["CPlatform", .product(name: "DequeModule", package: "swift-collections")],
    path: "Sources/Platform/Platform", swiftSettings: settings + customExecutors),
  .target(name: "DBusValues", dependencies: ["Platform"], path: "Sources/Platform/DBusValues", swiftSettings: settings),
  .target(
    name: "ConfigurationFiles", dependencies: ["Platform"], path: "Sources/Platform/ConfigurationFiles", swiftSettings: settings),
  .target(name: "Hardening", dependencies: ["CPlatform"], path: "Sources/Platform/Hardening", swiftSettings: settings),
]

/// libdbus for Swift: the only target that uses it.
let dbus: [Target] = [
  .systemLibrary(name: "CDBus", path: "Sources/DBus/CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
  .target(
    name: "DBus", dependencies: ["CDBus", "DBusValues", "Platform", .product(name: "DequeModule", package: "swift-collections")],
    path: "Sources/DBus/DBus", swiftSettings: settings),
]

/// The content of screens, and the pattern: coordinators, routers, screens, and trees of them. Does not use the bus.
let kit: [Target] = [
  .target(name: "Languages", dependencies: ["Platform"], path: "Sources/Kit/Languages", swiftSettings: settings),
  .target(name: "Forms", dependencies: ["Languages", "Platform"], path: "Sources/Kit/Forms", swiftSettings: settings),
  .target(
    name: "CoordinatorKit",
    dependencies: [
      "DBusValues", "Forms", "Languages", "Platform", .product(name: "DequeModule", package: "swift-collections"),
      .product(name: "HashTreeCollections", package: "swift-collections"),
    ],
    path: "Sources/Kit/CoordinatorKit", swiftSettings: settings),
  .target(
    name: "CoordinatorTestKit", dependencies: ["CoordinatorKit", "Platform"], path: "Sources/Kit/CoordinatorTestKit",
    swiftSettings: settings),
  .target(
    name: "LineSockets", dependencies: ["CPlatform", "Forms", "Platform"],
    path: "Sources/Kit/LineSockets", swiftSettings: settings),
]

/// The contract that both sides of the bus share.
let contract: [Target] = [
  .target(
    name: "CoordinatorBus", dependencies: ["CoordinatorKit", "DBus", "Languages", "Platform"],
    path: "Sources/Contract/CoordinatorBus",
    swiftSettings: settings)
]

/// Serves flows on the bus, and stores them.
let daemon: [Target] = [
  .systemLibrary(name: "CSQLite", path: "Sources/Daemon/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
  .target(name: "SQLite", dependencies: ["CSQLite"], path: "Sources/Daemon/SQLite", swiftSettings: settings),
  .target(
    name: "CoordinatorJournal",
    dependencies: ["CoordinatorKit", "Platform", "SQLite"],
    path: "Sources/Daemon/CoordinatorJournal", swiftSettings: settings),
  .target(
    name: "ProviderFiles", dependencies: ["ConfigurationFiles", "CoordinatorBus", "CoordinatorKit", "DBus", "Platform"],
    path: "Sources/Daemon/ProviderFiles", swiftSettings: settings),
  .target(
    name: "CoordinatorDaemon",
    dependencies: [
      "CoordinatorBus", "CoordinatorJournal", "CoordinatorKit", "DBus", "Hardening", "Languages", "Platform", "ProviderFiles",
      .product(name: "HeapModule", package: "swift-collections"), .product(name: "Logging", package: "swift-log"),
      .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      .product(name: "DequeModule", package: "swift-collections"),
    ],
    path: "Sources/Daemon/CoordinatorDaemon", swiftSettings: settings),
  .target(
    name: "DaemonCommandLine",
    dependencies: [
      "ConfigurationFiles", "CoordinatorBus", "CoordinatorDaemon", "CoordinatorJournal", "CoordinatorKit", "DBus", "Hardening",
      "Languages", "Platform", "ProviderFiles", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "Logging", package: "swift-log"), .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
    ] + zeroingFree,
    path: "Sources/Daemon/DaemonCommandLine", swiftSettings: settings),
]

/// Serves flows to a daemon from a separate process.
let provider: [Target] = [
  .target(
    name: "CoordinatorProvider",
    dependencies: [
      "CoordinatorBus", "CoordinatorKit", "DBus", "Languages", "Platform",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Sources/Provider/CoordinatorProvider", swiftSettings: settings)
]

/// Serves scripts as flows: records their operations, and replays them with the recorded answers.
let scripts: [Target] = [
  .target(
    name: "ScriptEngine", dependencies: ["CoordinatorKit", "Forms", "Platform"], path: "Sources/Scripts/ScriptEngine",
    swiftSettings: settings),
  .target(
    name: "ProgramQuestions", dependencies: ["CoordinatorKit", "Forms", "Platform"], path: "Sources/Programs/ProgramQuestions",
    swiftSettings: settings),
  // Stands for whiptail and dialog, once for each question: built like coordinator-ask.
  .executableTarget(
    name: "coordinator-dialog", path: "Sources/Programs/coordinator-dialog",
    linkerSettings: [
      .unsafeFlags(["-enable-experimental-feature", "Embedded"]),
      .unsafeFlags(["-Xclang-linker", "-static"], .when(configuration: .release)),
    ]),
  .target(
    name: "CoordinatorKeeper",
    dependencies: ["CoordinatorKit", "CPlatform", "Forms", "Hardening", "Platform", "ProgramQuestions"],
    path: "Sources/Programs/CoordinatorKeeper", swiftSettings: settings),
  .target(
    name: "CoordinatorScripts",
    dependencies: [
      "CoordinatorBus", "CoordinatorKit", "CoordinatorProvider", "CPlatform", "DBus", "Forms", "LineSockets", "Platform",
      "ScriptEngine",
    ],
    path: "Sources/Scripts/CoordinatorScripts", swiftSettings: settings),
  .target(
    name: "KeeperClient", dependencies: ["CoordinatorKit", "Forms", "LineSockets", "Platform"],
    path: "Sources/Programs/KeeperClient",
    swiftSettings: settings),
  // The flow of programs that keepers keep.
  .target(
    name: "CoordinatorPrograms",
    dependencies: ["CoordinatorBus", "CoordinatorKit", "CoordinatorProvider", "DBus", "KeeperClient", "Platform"],
    path: "Sources/Programs/CoordinatorPrograms", swiftSettings: settings),
  // Runs once for each question of a shell script, so it starts as fast as a C program can: as if for Embedded Swift,
  // which links neither the Swift runtime nor its library, and in a release with libc linked in.
  .executableTarget(
    name: "coordinator-ask", path: "Sources/Scripts/coordinator-ask",
    linkerSettings: [
      .unsafeFlags(["-enable-experimental-feature", "Embedded"]),
      .unsafeFlags(["-Xclang-linker", "-static"], .when(configuration: .release)),
    ]),
]

/// The base of all clients: proxies, and a mirror of a flow's window.
let client: [Target] = [
  .target(
    name: "CoordinatorClient", dependencies: ["CoordinatorBus", "CoordinatorKit", "DBus", "Languages", "Platform"],
    path: "Sources/Client/CoordinatorClient",
    swiftSettings: settings
  ),
  .target(name: "CQRCode", dependencies: ["CLoading"], path: "Sources/Client/CQRCode"),
  .target(name: "QRCodes", dependencies: ["CQRCode"], path: "Sources/Client/QRCodes", swiftSettings: settings),
  .target(
    name: "RendererKit",
    dependencies: ["DBus", "CoordinatorKit", "CoordinatorBus", "CoordinatorClient", "Languages", "Platform"],
    path: "Sources/Client/RendererKit",
    swiftSettings: settings),
  .target(
    name: "Themes", dependencies: ["ConfigurationFiles", "Platform"], path: "Sources/Client/Themes", swiftSettings: settings),
  .target(
    name: "ToolOptions",
    dependencies: [
      "ConfigurationFiles", "CoordinatorBus", "DBus", "RendererKit", "Themes",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Sources/Client/ToolOptions", swiftSettings: settings),
]

/// Show flows, and report what their users do.
let renderers: [Target] = [
  .target(
    name: "LinearTerminal",
    dependencies: ["DBus", "CoordinatorKit", "CoordinatorClient", "CoordinatorBus", "Languages", "Platform", "RendererKit"],
    path: "Sources/Renderers/LinearTerminal",
    swiftSettings: settings),
  .target(name: "CNCurses", dependencies: ["CLoading"], path: "Sources/Renderers/CNCurses"),
  .target(
    name: "CoordinatorTerminal",
    dependencies: [
      "CNCurses", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Languages", "LinearTerminal", "Platform",
      "QRCodes", "RendererKit", "Themes",
    ],
    path: "Sources/Renderers/CoordinatorTerminal", swiftSettings: settings),
  .target(name: "COpenSSL", dependencies: ["CLoading"], path: "Sources/Renderers/COpenSSL"),
  .target(name: "TLS", dependencies: ["COpenSSL", "Platform"], path: "Sources/Renderers/TLS", swiftSettings: settings),
  .target(
    name: "CoordinatorWeb",
    dependencies: [
      "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Languages", "Platform", "QRCodes", "RendererKit",
      "Themes", "TLS", .product(name: "FlyingSocks", package: "FlyingFox"),
    ],
    path: "Sources/Renderers/CoordinatorWeb",
    resources: [
      .embedInCode("Assets/coordinator.css"), .embedInCode("Assets/lists.css"), .embedInCode("Assets/frame.css"),
      .embedInCode("Assets/home.css"), .embedInCode("Assets/end.css"), .embedInCode("Assets/motion.css"),
      .embedInCode("Assets/people.css"), .embedInCode("Assets/motion.js"), .embedInCode("Assets/morph.js"),
      .embedInCode("Assets/coordinator.js"), .embedInCode("Assets/live.js"), .embedInCode("Assets/clicks.js"),
      .embedInCode("Assets/countdown.js"),
      .embedInCode("Assets/conditions.js"), .embedInCode("Assets/secrets.js"), .embedInCode("Assets/drafts.js"),
      .embedInCode("Assets/dates.js"), .embedInCode("Assets/lists.js"), .embedInCode("Assets/keys.js"),
      .embedInCode("Assets/matching.js"), .embedInCode("Assets/fields.js"), .embedInCode("Assets/status.js"),
      .embedInCode("Assets/home.js"), .embedInCode("Assets/people.js"), .embedInCode("Assets/phone.js"),
      .embedInCode("Assets/kiosk.js"),
    ],
    swiftSettings: settings),
]

/// The command line, and answers from files.
let control: [Target] = [
  .target(name: "CYAML", dependencies: ["CLoading"], path: "Sources/Control/CYAML"),
  .target(
    name: "CoordinatorAnswers", dependencies: ["CYAML", "Platform"],
    path: "Sources/Control/CoordinatorAnswers", swiftSettings: settings),
  .target(
    name: "ControlTool",
    dependencies: [
      "CoordinatorAnswers", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "CPlatform", "DBus",
      "KeeperClient", "Languages", "LinearTerminal", "Platform", "ProviderFiles", "RendererKit", "ScriptEngine",
    ],
    path: "Sources/Control/ControlTool", swiftSettings: settings),
  // Tries scripts without a daemon.
  .target(
    name: "ScriptPlays",
    dependencies: [
      "ControlTool", "CoordinatorAnswers", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "CoordinatorScripts",
      "CoordinatorTestKit", "Forms", "Platform", "RendererKit", "ScriptEngine",
    ],
    path: "Sources/Control/ScriptPlays", swiftSettings: settings),
]

/// All programs in Swift as one, which is what gets installed.
let tools: [Target] = [
  .executableTarget(
    name: "coordinator-tools",
    dependencies: [
      "Accounts", "ConfigurationFiles", "ControlTool", "CoordinatorAnswers", "CoordinatorBus", "CoordinatorClient",
      "CoordinatorDaemon", "CoordinatorJournal", "CoordinatorKeeper", "CoordinatorKit", "CoordinatorPrograms",
      "CoordinatorProvider", "CoordinatorScripts", "CoordinatorTerminal", "CoordinatorWeb", "DaemonCommandLine", "DBus", "Flows",
      "Forms", "Hardening", "Languages", "LinearTerminal", "LineSockets", "Platform", "RendererKit", "ScriptEngine",
      "ScriptPlays", "Themes", "ToolOptions", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "UnixSignals", package: "swift-service-lifecycle"),
    ] + zeroingFree,
    path: "Sources/Tools/coordinator-tools", swiftSettings: settings)
]

/// The flows that ship.
let flows: [Target] = [
  .systemLibrary(name: "CCrypt", path: "Sources/Flows/CCrypt", providers: [.apt(["libcrypt-dev"])]),
  .target(
    name: "Accounts", dependencies: ["CCrypt", "CoordinatorKit", "Platform"], path: "Sources/Flows/Accounts",
    swiftSettings: settings),
  .target(
    name: "Flows", dependencies: ["Accounts", "CoordinatorKit", "Platform"],
    path: "Sources/Flows/Flows",
    resources: [
      .embedInCode("Kanji/kanji.json"), .embedInCode("Shop/products.json"), .embedInCode("Quotes/quotes.json"),
    ],
    swiftSettings: settings),
]

/// Programs that test the others for a long time, under load and with faults, and report what they find.
let trials: [Target] = [
  .target(
    name: "DialogTrial", dependencies: ["CoordinatorKit", "Forms", "ProgramQuestions"], path: "Trials/Programs/DialogTrial",
    swiftSettings: settings),
  .executableTarget(
    name: "bus-fuzzer",
    dependencies: [
      "BusLoad", "coordinator-tools", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Platform", "TestBus",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Trials/Fuzz/BusFuzzer", swiftSettings: settings),
  .executableTarget(
    name: "soak",
    dependencies: [
      "BusLoad", "coordinator-tools", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Platform", "TestBus",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Trials/Soak", swiftSettings: settings),
  .target(
    name: "CrashTrial",
    dependencies: [
      "BusLoad", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "DBus", "Platform", "SQLite",
      "TestBus",
    ],
    path: "Trials/Crash/CrashTrial", swiftSettings: settings),
  .executableTarget(
    name: "crash",
    dependencies: [
      "BusLoad", "CrashTrial", "test-programs", "TestBus", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Trials/Crash/Crash", swiftSettings: settings),
  .systemLibrary(name: "CFaultPlan", path: "Trials/Faults/CFaultPlan"),
  .target(name: "FaultInjector", path: "Trials/Faults/FaultInjector"),
  .target(name: "CostProbe", path: "Trials/Costs/CostProbe"),
  .target(
    name: "CostTrial",
    dependencies: [
      "BusLoad", "CDBus", "CoordinatorBus", "CoordinatorClient", "CostProbe", "DaemonCommandLine", "DBus", "TestBus", "TestFlows",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Trials/Costs/CostTrial", swiftSettings: settings),
  .executableTarget(name: "costs", dependencies: ["CostTrial"], path: "Trials/Costs/Costs", swiftSettings: settings),
  .executableTarget(
    name: "renderer-trial",
    dependencies: [
      "BusLoad", "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "CoordinatorProvider", "DaemonCommandLine", "DBus",
      "Platform", "TestBus", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Trials/Renderer/renderer-trial", swiftSettings: settings),
  .executableTarget(
    name: "provider-trial",
    dependencies: [
      "CoordinatorBus", "CoordinatorDaemon", "CoordinatorKit", "CoordinatorTestKit", "DBus", "Platform", "ProviderFiles",
      "TestBus", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Trials/Provider/provider-trial", swiftSettings: settings),
  .executableTarget(
    name: "faults",
    dependencies: [
      "BusLoad", "CFaultPlan", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "CrashTrial",
      "DBus", "Platform", "TestBus", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Trials/Faults/FaultTrial", swiftSettings: settings),
]

/// The code that tests and trials share: buses, daemons and example flows.
let testSupport: [Target] = [
  .target(
    name: "ScreenSamples", dependencies: ["CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus"],
    path: "TestSupport/ScreenSamples", swiftSettings: settings),
  .target(name: "TestBus", dependencies: ["DBus", "Platform"], path: "TestSupport/TestBus", swiftSettings: settings),
  .target(
    name: "BusLoad", dependencies: ["CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "TestBus"],
    path: "TestSupport/BusLoad", swiftSettings: settings),
  .target(name: "FaultyDisk", dependencies: ["CSQLite"], path: "TestSupport/FaultyDisk"),
  .executableTarget(
    name: "coffee-provider", dependencies: ["CoordinatorKit", "CoordinatorProvider"],
    path: "Examples/coffee-provider/Sources/coffee-provider", swiftSettings: settings),
  // Also a separate package. Built here, it does not make `make check` build its dependencies a second time.
  .executableTarget(
    name: "first-boot-daemon",
    dependencies: [
      "CoordinatorKit", "DBus", "DaemonCommandLine", .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Examples/first-boot/Sources/first-boot-daemon", swiftSettings: settings),
  .target(
    name: "TennisClub", dependencies: ["CoordinatorKit"], path: "Examples/tennis-club/Sources/TennisClub",
    swiftSettings: settings),
  .target(
    name: "TestFlows", dependencies: ["CoordinatorKit"],
    path: "TestSupport/TestFlows", swiftSettings: settings),
  .executableTarget(
    name: "test-programs",
    dependencies: [
      "CoordinatorBus", "CoordinatorJournal", "CoordinatorKit", "CoordinatorProvider", "CoordinatorTestKit", "DaemonCommandLine",
      "DBus", "DialogTrial", "Flows", "Forms", "Languages", "Platform", "ProgramQuestions", "TestFlows",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "TestSupport/test-programs", swiftSettings: settings),
]

/// What `swift test` runs.
let tests: [Target] = [
  .testTarget(
    name: "PlatformTests", dependencies: ["CLoading", "ConfigurationFiles", "Platform", "TestBus"], swiftSettings: settings),
  .testTarget(
    name: "ScriptEngineTests",
    dependencies: ["CoordinatorKit", "CoordinatorScripts", "Forms", "Platform", "ScriptEngine", "TestBus"],
    swiftSettings: settings),
  .testTarget(
    name: "DBusTests", dependencies: ["CDBus", "DBus", "Platform", "TestBus"], swiftSettings: settings),
  .testTarget(
    name: "FormsTests", dependencies: ["Forms", "TestBus"], exclude: ["JSON-Schema-Test-Suite"], swiftSettings: settings),
  .testTarget(name: "LanguagesTests", dependencies: ["Languages", "TestBus"], exclude: ["Samples"], swiftSettings: settings),
  .testTarget(
    name: "CoordinatorKitTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit", "Platform", "TestBus", "TestFlows"],
    swiftSettings: settings),
  .testTarget(
    name: "CoordinatorJournalTests",
    dependencies: [
      "CoordinatorJournal", "CoordinatorKit", "CoordinatorTestKit", "FaultyDisk", "Platform", "SQLite", "test-programs",
      "TestBus", "TestFlows",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "CoordinatorBusTests", dependencies: ["CoordinatorBus", "CoordinatorKit", "DBus", "TestBus"],
    swiftSettings: settings),
  .testTarget(
    name: "CoordinatorClientTests",
    dependencies: ["CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Languages", "Platform", "TestBus"],
    swiftSettings: settings),
  .testTarget(
    name: "CoordinatorWebTests",
    dependencies: [
      "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "CoordinatorWeb", "COpenSSL", "DBus", "Languages", "Platform",
      "QRCodes", "RendererKit", "TestBus", "Themes", "TLS",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "CoordinatorTerminalTests",
    dependencies: [
      "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "CoordinatorTerminal", "DBus", "Languages", "Platform", "QRCodes",
      "RendererKit", "TestBus", "Themes",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "RendererKitTests",
    dependencies: [
      "CoordinatorBus", "CoordinatorClient", "CoordinatorKit", "DBus", "Languages", "QRCodes", "RendererKit", "TestBus", "Themes",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "LinearTerminalTests",
    dependencies: [
      "DBus", "CoordinatorClient", "CoordinatorKit", "CoordinatorBus", "LinearTerminal", "Platform", "RendererKit",
      "ScreenSamples",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "ControlToolTests",
    dependencies: [
      "ControlTool", "CoordinatorAnswers", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "DBus",
      "Languages", "LinearTerminal", "Platform", "RendererKit", "ScreenSamples", "TestBus",
    ],
    swiftSettings: settings),
  .testTarget(
    name: "CoordinatorDaemonTests",
    dependencies: [
      "ConfigurationFiles", "CoordinatorBus", "CoordinatorClient", "CoordinatorDaemon", "CoordinatorJournal", "CoordinatorKit",
      "CoordinatorTestKit", "DaemonCommandLine", "DBus", "Flows", "Hardening", "Languages", "Platform", "ProviderFiles",
      "TestBus", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      .product(name: "Logging", package: "swift-log"),
    ],
    swiftSettings: settings),
  .testTarget(
    name: "CoordinatorProviderTests",
    dependencies: [
      "Accounts", "CoordinatorBus", "CoordinatorDaemon", "CoordinatorKit", "CoordinatorProvider", "CoordinatorTestKit", "DBus",
      "DialogTrial", "Flows", "Forms", "Platform", "ProgramQuestions", "ProviderFiles", "ScriptEngine", "test-programs",
      "TestBus", .product(name: "Logging", package: "swift-log"),
    ],
    exclude: ["Samples"],
    swiftSettings: settings),
  .testTarget(
    name: "FlowsTests", dependencies: ["Accounts", "CoordinatorKit", "CoordinatorTestKit", "Flows", "Platform", "TestBus"],
    swiftSettings: settings),
  .testTarget(
    name: "IntegrationTests",
    dependencies: [
      "bus-fuzzer", "BusLoad", "coordinator-tools", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit",
      "CoordinatorTestKit", "CrashTrial", "DBus", "Platform", "renderer-trial", "RendererKit", "soak", "test-programs", "TestBus",
    ],
    exclude: ["Clients"],
    swiftSettings: settings),
  .testTarget(
    name: "DocumentationTests",
    dependencies: [
      "CoordinatorClient", "CoordinatorDaemon", "CoordinatorKit", "CoordinatorTestKit", "DBus", "Flows", "Platform", "TestBus",
      .product(name: "Logging", package: "swift-log"),
    ],
    swiftSettings: settings),
  .testTarget(
    name: "FirstBootTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit", "first-boot-daemon"],
    path: "Examples/first-boot/Tests/FirstBootTests", swiftSettings: settings),
  .testTarget(
    name: "TennisClubTests", dependencies: ["CoordinatorKit", "CoordinatorTestKit", "TennisClub"],
    path: "Examples/tennis-club/Tests/TennisClubTests", swiftSettings: settings),
  .testTarget(
    name: "TrialTests",
    dependencies: [
      "CFaultPlan", "CoordinatorBus", "CoordinatorClient", "CoordinatorJournal", "CoordinatorKit", "CoordinatorTestKit",
      "CostTrial", "CrashTrial", "DBus", "faults", "provider-trial", "renderer-trial", "TestBus",
    ], swiftSettings: settings),
  .testTarget(
    name: "ProgramsTests",
    dependencies: [
      "CoordinatorKeeper", "CoordinatorKit", "CoordinatorPrograms", "CoordinatorTestKit", "CPlatform", "DialogTrial", "Forms",
      "KeeperClient", "LineSockets", "Platform", "ProgramQuestions", "TestBus",
    ], exclude: ["ProgramQuestions/Samples"], swiftSettings: settings),
]

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
    .library(name: "CoordinatorProvider", targets: ["CoordinatorProvider"]),
    .library(name: "CoordinatorClient", targets: ["CoordinatorClient"]),
    .library(name: "Accounts", targets: ["Accounts"]),
    .library(name: "Flows", targets: ["Flows"]),
    .library(name: "Hardening", targets: ["Hardening"]),
    .library(
      name: "_Parsers",
      targets: [
        "CoordinatorAnswers", "CoordinatorKeeper", "CoordinatorScripts", "CoordinatorWeb", "Platform", "ProgramQuestions",
        "ScriptEngine",
      ]),
    .library(name: "_TestBus", targets: ["TestBus"]),
    .library(name: "_TestFlows", targets: ["TestFlows"]),
    .library(name: "_CostTrial", targets: ["CostTrial"]),
    .library(name: "_fault-injector", type: .dynamic, targets: ["FaultInjector"]),
    .executable(name: "coordinator-tools", targets: ["coordinator-tools"]),
    .executable(name: "coordinator-ask", targets: ["coordinator-ask"]),
    .executable(name: "coordinator-dialog", targets: ["coordinator-dialog"]),
    .executable(name: "renderer-trial", targets: ["renderer-trial"]),
    .executable(name: "provider-trial", targets: ["provider-trial"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: platform + dbus + kit + contract + daemon + provider + scripts + client + renderers + control + tools + flows + trials
    + testSupport + tests,
  swiftLanguageModes: [.v6]
)
