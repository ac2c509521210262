import Platform
import RendererKit

/// The flow greet-people of `Examples/new` in one language, which becomes a new flow by replacing its name.
struct FlowTemplate: Sendable {
  private let language: NewFlow.Language

  init(_ language: NewFlow.Language) { self.language = language }

  /// Returns the directory with the templates: that of the installation, or that of the sources after a build.
  ///
  /// - Throws: ``ToolFailure`` if neither contains them.
  static func directory() throws(ToolFailure) -> String {
    let places = OwnProgram.directory.map { ["\($0)/../share/coordinatord/new", "\($0)/../../../Examples/new"] } ?? []
    guard let place = places.first(where: { FileContent.read("\($0)/shell/greet-people") != nil }) else {
      throw ToolFailure([
        "the templates of new flows were not found: \(places.joined(separator: ", ").printable)",
        "  they are installed together with coordinatorctl: install coordinatord again",
      ])
    }
    return place
  }

  /// The paths of the files, relative both to the template's directory and to that of the flow.
  var paths: [String] {
    switch language {
    case .shell: ["greet-people", "greet-people.answers.yaml", "greet-people.test"]
    case .python: ["greet_people.py", "test_greet_people.py"]
    case .swift:
      [
        "Package.swift", "Sources/GreetPeopleDaemon/GreetPeople.swift", "Sources/GreetPeopleDaemon/Main.swift",
        "Tests/GreetPeopleTests/GreetPeopleTests.swift", "Makefile", "Packaging/greet-people.service",
        "Packaging/org.coordinatord.greet-people.service", "Packaging/org.coordinatord.greet-people.conf",
        "Packaging/control",
      ]
    case .swiftProvider:
      [
        "Package.swift", "Sources/GreetPeopleProvider/GreetPeople.swift", "Sources/GreetPeopleProvider/Main.swift",
        "Tests/GreetPeopleTests/GreetPeopleTests.swift",
      ]
    }
  }

  /// The template's directory, relative to that of all templates.
  var directory: String {
    switch language {
    case .shell: "shell"
    case .python: "python"
    case .swift: "swift"
    case .swiftProvider: "swift-provider"
    }
  }

  /// Returns whether a path is that of a program.
  func isProgram(_ path: String) -> Bool {
    switch language {
    case .shell: path.bytes.hasSuffix(".test") || path.bytes.hasSuffix("greet-people")
    case .python: path == "greet_people.py"
    case .swift, .swiftProvider: false
    }
  }

  /// The commands to try the flow.
  var commands: [String] {
    let place = "~/.config/coordinatord/flows"
    return switch language {
    case .shell: ["./greet-people.test", "mkdir -p \(place)", "cp greet-people \(place)/", "coordinator-tui greet-people"]
    case .python:
      [
        "python3 test_greet_people.py", "coordinator-scripts check greet_people.py", "mkdir -p \(place)",
        "cp greet_people.py \(place)/", "coordinator-tui greet-people",
      ]
    case .swift:
      [
        "cd greet-people", "swift test", "swift run greet-people --ephemeral &",
        "coordinator-tui --name greet-people greet-people", "make deb",
      ]
    case .swiftProvider:
      ["cd greet-people", "swift test", "swift run GreetPeopleProvider &", "coordinator-tui greet-people"]
    }
  }
}
