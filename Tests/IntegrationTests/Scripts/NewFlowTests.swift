import Foundation
import TestBus
import Testing

@Suite("New flows", .timeLimit(.minutes(5)))
struct NewFlowTests {
  /// The root of the sources.
  private static let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()

  @Test("A new script of the shell passes its test at once")
  func shell() async throws {
    let bench = try ScriptBench()
    let new = try await bench.runCommand(["coordinatorctl", "new", "greet-people", "--shell"])
    #expect(new.status == .exited(0), "\(new.errors)")
    #expect(new.output.contains("next:\n  ./greet-people.test\n"), "\(new.output)")
    let test = try await bench.runCommand(["./greet-people.test"])
    #expect(test.status == .exited(0), "\(test.output) \(test.errors)")
    #expect(test.output.contains("\ngreeting: Hello, Ada!\n"), "\(test.output)")
    let again = try await bench.runCommand(["coordinatorctl", "new", "greet-people", "--shell"])
    #expect(again.status == .exited(1))
    #expect(again.errors.contains("'./greet-people' exists already"), "\(again.errors)")
  }

  @Test("A new script in Python passes its test at once")
  func python() async throws {
    let bench = try ScriptBench()
    let new = try await bench.runCommand(["coordinatorctl", "new", "greet-people", "--python", "--directory", "flows"])
    #expect(new.status == .exited(0), "\(new.errors)")
    #expect(new.output.contains("next:\n  cd flows\n  python3 test_greet_people.py\n"), "\(new.output)")
    let python = ["PYTHONPATH": "\(Self.root)/Python/src", "PYTHONDONTWRITEBYTECODE": "1"]
    let test = try await bench.runCommand(["python3", "flows/test_greet_people.py"], adding: python)
    #expect(test.status == .exited(0), "\(test.errors)")
    let check = try await bench.runCommand(["coordinator-scripts", "check", "flows/greet_people.py"], adding: python)
    #expect(check.status == .exited(0), "\(check.output) \(check.errors)")
    #expect(check.output.contains("4 questions (greeted, person, sure, word)"), "\(check.output)")
  }

  @Test("A new package in Swift has a daemon with its name, files that deploy it, a test, and the requested dependency")
  func daemon() async throws {
    let bench = try ScriptBench()
    try Data().write(to: URL(fileURLWithPath: "\(bench.directory)/Package.swift"))
    let new = try await bench.runCommand(["coordinatorctl", "new", "greet-people", "--swift", "--checkout", "."])
    let checkout = try #require(realpath(bench.directory, nil).map { String(cString: $0) })
    #expect(new.status == .exited(0), "\(new.errors)")
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: "\(bench.directory)/greet-people/\(path)", encoding: .utf8)
    }
    #expect(try text("Package.swift").contains(#".package(name: "coordinatord", path: "\#(checkout)")"#))
    #expect(try text("Sources/GreetPeopleDaemon/GreetPeople.swift").contains("actor GreetPeople: Coordinator {"))
    #expect(try text("Sources/GreetPeopleDaemon/Main.swift").contains(#"mainOnOwnThreads(named: "greet-people")"#))
    #expect(try text("Packaging/greet-people.service").contains("\nBusName=org.coordinatord.greet-people\n"))
    #expect(try text("Packaging/org.coordinatord.greet-people.service").contains("\nSystemdService=greet-people.service\n"))
    let policy = try text("Packaging/org.coordinatord.greet-people.conf")
    #expect(policy.contains(#"<allow own="org.coordinatord.greet-people"/>"#) && !policy.contains("Coordinator1"))
    #expect(try text("Packaging/control").hasPrefix("Package: greet-people\n"))
    #expect(try text("Makefile").contains("\ndeb:\n\trm -rf .build/deb\n"))
  }

  @Test("A daemon of one's own is not called like the one that ships")
  func shippedNameIsRefused() async throws {
    let bench = try ScriptBench()
    let new = try await bench.runCommand(["coordinatorctl", "new", "coordinatord", "--swift"])
    #expect(new.status == .exited(64))
    #expect(new.errors.contains("use another name"), "\(new.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.directory).isEmpty)
  }

  @Test("A new package in Swift for a provider has a program, a test, and the dependency that was asked for")
  func swift() async throws {
    let bench = try ScriptBench()
    let new = try await bench.runCommand([
      "coordinatorctl", "new", "greet-people", "--swift-provider", "--checkout", "\(Self.root)",
    ])
    #expect(new.status == .exited(0), "\(new.errors)")
    func text(_ path: String) throws -> String {
      try String(contentsOfFile: "\(bench.directory)/greet-people/\(path)", encoding: .utf8)
    }
    #expect(try text("Package.swift").contains(#".package(name: "coordinatord", path: "\#(Self.root)")"#))
    #expect(try text("Sources/GreetPeopleProvider/GreetPeople.swift").contains("actor GreetPeople: Coordinator {"))
    #expect(try text("Sources/GreetPeopleProvider/Main.swift").contains(#"ProviderDaemon.run(name: "com.example.GreetPeople")"#))
    #expect(try text("Tests/GreetPeopleTests/GreetPeopleTests.swift").contains("FlowExplorer { GreetPeople() }"))
  }

  @Test("A new flow without a language gets the four to choose from, and a checkout that is none is refused by its name")
  func missingPartsAreNamed() async throws {
    let bench = try ScriptBench()
    let new = try await bench.runCommand(["coordinatorctl", "new", "coffee"])
    #expect(new.status == .exited(64))
    #expect(new.errors.contains("written in: --shell, --python, --swift or --swift-provider\n"), "\(new.errors)")
    #expect(new.errors.contains("coordinatorctl new NAME --shell|--python "), "\(new.errors)")
    for (path, reason) in [("./none", "cannot find the checkout './none'"), (".", "it has no Package.swift")] {
      let new = try await bench.runCommand(["coordinatorctl", "new", "coffee", "--swift", "--checkout", path])
      #expect(new.status == .exited(64))
      #expect(new.errors.contains(reason), "\(new.errors)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.directory).isEmpty)
  }

  @Test("A name that no flow can have is refused", arguments: ["", "Greet", "../greet", "1st", "greet-"])
  func namesAreChecked(_ name: String) async throws {
    let bench = try ScriptBench()
    let new = try await bench.runCommand(["coordinatorctl", "new", name, "--shell"])
    #expect(new.status == .exited(64))
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.directory).isEmpty)
  }
}
