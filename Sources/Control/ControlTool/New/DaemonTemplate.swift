/// A new flow with a daemon of its own, and what deploys it: a unit, an activation file, and a Debian package.
struct DaemonTemplate: Sendable {
  private let name: String
  private let package: SwiftPackage

  init(_ name: String, checkout: String?) {
    self.name = name
    package = SwiftPackage(name: name, checkout: checkout, module: "\(SwiftPackage.type(name))Daemon")
  }

  private var type: String { SwiftPackage.type(name) }
  private var busName: String { "org.coordinatord.\(name)" }

  /// The files, and the commands that try them.
  var contents: (files: [NewFlow.File], commands: [String]) {
    (
      [
        NewFlow.File(path: "\(name)/Package.swift", text: manifest),
        NewFlow.File(path: "\(name)/Sources/\(package.module)/\(type).swift", text: package.flow),
        NewFlow.File(path: "\(name)/Sources/\(package.module)/Main.swift", text: main),
        NewFlow.File(path: "\(name)/Tests/\(type)Tests/\(type)Tests.swift", text: package.test),
        NewFlow.File(path: "\(name)/Makefile", text: makefile),
        NewFlow.File(path: "\(name)/Packaging/\(name).service", text: unit),
        NewFlow.File(path: "\(name)/Packaging/\(busName).service", text: activation),
        NewFlow.File(path: "\(name)/Packaging/\(busName).conf", text: Self.policy(of: busName)),
        NewFlow.File(path: "\(name)/Packaging/control", text: control),
      ],
      [
        "cd \(name)", "swift test", "swift run \(name) --ephemeral &", "coordinator-tui --name \(name) \(name)",
        "make deb",
      ]
    )
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "\(name)",
      products: [
        .executable(name: "\(name)", targets: ["\(package.module)"])
      ],
      dependencies: [
        \(package.dependency),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
      ],
      targets: [
        .executableTarget(
          name: "\(package.module)",
          dependencies: [
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "CoordinatorKit", package: "coordinatord"),
            .product(name: "DaemonCommandLine", package: "coordinatord"),
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
    import ArgumentParser
    import CoordinatorKit
    import DaemonCommandLine

    /// A daemon with a name of its own, which runs beside coordinatord: \(busName) on the bus.
    @main
    struct Main: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "\(name)", abstract: "Serves the flow \(name).")

      @OptionGroup var daemon: DaemonOptions

      static func main() { mainOnOwnThreads(named: "\(name)") { try await serve($0) } }

      func run() async throws { try await Self.serve(daemon.arguments()) }

      @Sendable private static func serve(_ arguments: DaemonArguments) async throws {
        var catalogue = FlowCatalogue()
        try catalogue.add { \(type)() }
        try await arguments.serve(catalogue)
      }
    }

    """
  }

  private var makefile: String {
    let tab = "\t"
    return """
      # make: builds for development. make test: runs the tests. make install: installs below DESTDIR. make deb: makes a Debian package.
      NAME = \(name)
      BUS_NAME = \(busName)
      VERSION ?= 0.1.0
      SWIFT ?= swift
      PREFIX ?= /usr
      MAINTAINER ?= $(or $(DEBFULLNAME),$(shell git config user.name),$(USER)) <$(or $(DEBEMAIL),$(shell git config user.email),root@localhost)>

      # A small program that starts quickly: with the Swift runtime inside, and the functions that a daemon runs side by side.
      ORDER = $(abspath $(firstword $(wildcard \(checkoutPattern) .build/checkouts/coordinatord/Packaging/function-order)))
      RELEASE = -c release --product $(NAME) --static-swift-stdlib -debug-info-format none -Xswiftc -Osize -Xswiftc -use-ld=lld \\
        -Xswiftc -Xfrontend -Xswiftc -function-sections \\
        -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \\
        -Xlinker -z -Xlinker pack-relative-relocs -Xlinker --no-export-dynamic \\
        $(if $(ORDER),-Xlinker --symbol-ordering-file=$(ORDER) -Xlinker --no-warn-symbol-ordering) \\
        $(if $(wildcard $(dir $(ORDER))layout.ld),-Xlinker -T -Xlinker $(dir $(ORDER))layout.ld)
      ROOT = .build/deb/root

      .PHONY: build test resolve release install deb

      build:
      \(tab)$(SWIFT) build

      test:
      \(tab)$(SWIFT) test

      # Before the order of functions is looked for in what it fetches.
      resolve:
      \(tab)$(SWIFT) package resolve

      release: resolve
      \(tab)$(SWIFT) build $(RELEASE)

      install: release
      \(tab)install -D $$($(SWIFT) build $(RELEASE) --show-bin-path)/$(NAME) $(DESTDIR)$(PREFIX)/bin/$(NAME)
      \(tab)strip $(DESTDIR)$(PREFIX)/bin/$(NAME)
      \(tab)install -D -m 644 Packaging/$(NAME).service $(DESTDIR)$(PREFIX)/lib/systemd/user/$(NAME).service
      \(tab)install -D -m 644 Packaging/$(BUS_NAME).service $(DESTDIR)$(PREFIX)/share/dbus-1/services/$(BUS_NAME).service
      \(tab)install -D -m 644 Packaging/$(BUS_NAME).conf $(DESTDIR)$(PREFIX)/share/dbus-1/system.d/$(BUS_NAME).conf

      deb:
      \(tab)rm -rf .build/deb
      \(tab)$(MAKE) --no-print-directory install DESTDIR=$(CURDIR)/$(ROOT)
      \(tab)mkdir -p .build/deb/debian $(ROOT)/DEBIAN
      \(tab)printf 'Source: $(NAME)\\n\\nPackage: $(NAME)\\nArchitecture: any\\n' >.build/deb/debian/control
      \(tab)cd .build/deb && dpkg-shlibdeps -O root$(PREFIX)/bin/$(NAME) >shlibs
      \(tab)sed "s#@version@#$(VERSION)#; s#@architecture@#$$(dpkg --print-architecture)#; s#@maintainer@#$(MAINTAINER)#; \\
      \(tab)  s#@depends@#$$(sed -n 's/^shlibs:Depends=//p' .build/deb/shlibs)#; s#@size@#$$(du -sk $(ROOT)$(PREFIX) | cut -f1)#" \\
      \(tab)  Packaging/control >$(ROOT)/DEBIAN/control
      \(tab)dpkg-deb --root-owner-group -Zxz --build $(ROOT) $(NAME)_$(VERSION)_$$(dpkg --print-architecture).deb

      """
  }

  /// Where the order of functions is in a checkout that was named.
  private var checkoutPattern: String { checkout.map { "\($0)/Packaging/function-order" } ?? "" }
  private var checkout: String? { package.checkout }

  private var unit: String {
    """
    # Started by the first call on the bus. The state is in ~/.local/state/\(name).

    [Unit]
    Description=\(NewFlow.title(name))
    Requires=dbus.socket
    After=dbus.socket dbus.service dbus-broker.service

    [Service]
    Type=notify
    NotifyAccess=main
    BusName=\(busName)
    ExecStart=/usr/bin/\(name)
    ExecReload=/bin/kill -HUP $MAINPID
    Restart=on-failure
    RestartSec=100ms
    # Invalid arguments and an invalid configuration would fail again.
    RestartPreventExitStatus=64 78
    WatchdogSec=30s
    WatchdogSignal=SIGKILL
    TimeoutStopSec=15s
    UMask=0077

    # Flows ask people, and leave the machine alone. Loosen what your work needs.
    NoNewPrivileges=yes
    RestrictAddressFamilies=AF_UNIX
    RestrictNamespaces=yes
    RestrictSUIDSGID=yes
    RestrictRealtime=yes
    LockPersonality=yes
    MemoryDenyWriteExecute=yes
    KeyringMode=private
    SystemCallArchitectures=native
    SystemCallFilter=@system-service
    SystemCallFilter=~@privileged @resources
    SystemCallFilter=setpriority
    SystemCallErrorNumber=EPERM

    """
  }

  private var activation: String {
    """
    # The first call starts the daemon: by systemd where the bus has one, and else as it is.
    [D-BUS Service]
    Name=\(busName)
    Exec=/usr/bin/\(name)
    SystemdService=\(name).service

    """
  }

  private var control: String {
    """
    Package: \(name)
    Version: @version@
    Architecture: @architecture@
    Maintainer: @maintainer@
    Installed-Size: @size@
    Depends: @depends@
    Recommends: default-dbus-session-bus | dbus-session-bus, coordinatord
    Section: misc
    Priority: optional
    Description: \(NewFlow.title(name)): an interactive flow over D-Bus
     The daemon \(busName), which serves the flow \(name) to the
     renderers of coordinatord: coordinator-tui --name \(name).

    """
  }
}
