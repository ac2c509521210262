import CoordinatorBus
import CoordinatorKit
import Glibc
import Platform
import RendererKit

/// `coordinatorctl new`: writes a flow with its test, ready to run.
public struct NewFlow: Sendable {
  /// The language of a new flow.
  public enum Language: String, Sendable, Hashable, CaseIterable {
    case shell, python, swift, swiftProvider
  }

  private let output: ToolOutput

  /// Creates the command.
  public init(output: ToolOutput) { self.output = output }

  /// Writes the files of a flow, and prints how to try it. Existing files are never changed.
  ///
  /// - Parameters:
  ///   - name: name of the flow.
  ///   - language: language of the flow.
  ///   - directory: directory for the files, which is created if necessary.
  ///   - checkout: directory of the project's sources that a Swift package depends on, also relative to the working directory;
  ///     nil for the published ones.
  /// - Throws: ``ToolFailure``.
  public func run(
    _ name: String, _ language: Language, in directory: String, checkout: String? = nil
  ) throws(ToolFailure) {
    guard Self.isName(name) else {
      throw ToolFailure(
        ["'\(name.printable)' does not name a flow: it takes lower-case letters, digits and '-', beginning with a letter"],
        exit: .usage)
    }
    guard language != .swift || name != DaemonName.standard.description else {
      throw ToolFailure(
        ["a daemon of your own cannot be called \(name): that is the one that ships", "  use another name"], exit: .usage)
    }
    let template = FlowTemplate(language)
    let names = NewFlowNames(name, checkout: try checkout.map(Self.checkout))
    let source = "\(try FlowTemplate.directory())/\(template.directory)"
    let isPackage = language == .swift || language == .swiftProvider
    let files = template.paths.map { path in
      (template: path, path: "\(directory)/\(isPackage ? "\(name)/" : "")\(names.put(into: path))")
    }
    if let existing = files.first(where: { access($0.path, F_OK) == 0 }) {
      throw ToolFailure(["'\(existing.path.printable)' exists already"])
    }
    for file in files {
      guard let text = FileContent.read("\(source)/\(file.template)") else {
        throw ToolFailure(["cannot read '\("\(source)/\(file.template)".printable)'"])
      }
      try write(
        names.put(into: String(decoding: text, as: UTF8.self)), file.path, mode: template.isProgram(file.template) ? 0o755 : 0o644
      )
    }
    let commands = template.commands.map(names.put(into:))
    let here = directory == "." ? commands : ["cd \(ShellText.word(directory))"] + commands
    output.say(
      files.map { "wrote \($0.path)".printable } + ["next:"] + here.map { "  \($0)".printable },
      json: ["files": .array(files.map { .string($0.path) }), "next": .array(here.map { .string($0) })])
  }

  private func write(_ text: String, _ path: String, mode: UInt32) throws(ToolFailure) {
    do {
      if let (parent, _) = path.bytes.cutLast(at: "/"), !parent.isEmpty {
        try FileContent.createDirectories(String(parent))
      }
      try FileContent.write(Array(text.utf8), to: path, mode: mode, isNew: true)
    } catch {
      throw ToolFailure(["cannot write '\(path.printable)': \(error)"])
    }
  }

  /// Returns the absolute path of a checkout: the package that names it is in another directory.
  private static func checkout(_ path: String) throws(ToolFailure) -> String {
    guard let real = realpath(path, nil) else {
      throw ToolFailure(["cannot find the checkout '\(path.printable)': \(SystemCallError(errno))"], exit: .usage)
    }
    defer { free(real) }
    let absolute = String(cString: real)
    guard access("\(absolute)/Package.swift", F_OK) == 0 else {
      throw ToolFailure(["'\(path.printable)' is not a checkout of coordinatord: it has no Package.swift"], exit: .usage)
    }
    return absolute
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64, name.utf8.last != UInt8(ascii: "-") else { return false }
    return first.isASCIILowercase
      && name.utf8.allSatisfy { $0.isASCIILowercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
  }
}

/// The names in the files of a new flow, which replace those of the template.
struct NewFlowNames: Sendable {
  private let name: String
  private let dependency: String

  /// Derives the names from the name of the flow.
  ///
  /// - Parameters:
  ///   - name: name of the flow, such as `make-coffee`.
  ///   - checkout: directory of the project's sources that a Swift package depends on; nil for the published ones.
  init(_ name: String, checkout: String?) {
    self.name = name
    dependency =
      checkout.map { ".package(name: \"coordinatord\", path: \(Self.literal($0)))" }
      ?? ".package(url: \"https://github.com/coordinatord/coordinatord\", branch: \"main\")"
  }

  /// Returns a path, a command or a file of the template with the names of the flow.
  func put(into text: String) -> String {
    // The path of a checkout comes last, because it may contain any of the earlier search strings.
    [
      ("greet-people", name), ("greet_people", name.bytes.replacing("-", with: "_")), ("GreetPeople", type),
      ("Greet people", title), (#".package(name: "coordinatord", path: "../../..")"#, dependency),
    ].reduce(text) { $0.bytes.replacing($1.0, with: $1.1) }
  }

  /// The name of the coordinator's type: `MakeCoffee`.
  private var type: String { name.bytes.split(separator: "-").map { Self.capitalized($0) }.joined() }

  /// The name as a title: `Make coffee`.
  private var title: String { Self.capitalized(name.bytes.replacing("-", with: " ")) }

  /// Returns a word with its first letter, if that is an ASCII letter, in upper case.
  private static func capitalized(_ word: some StringProtocol) -> String {
    String(decoding: word.utf8.prefix(1).map(\.asciiUppercased) + word.utf8.dropFirst(), as: UTF8.self)
  }

  /// Returns a text as a Swift literal.
  private static func literal(_ text: String) -> String {
    "\"\(text.bytes.replacing("\\", with: "\\\\").bytes.replacing("\"", with: "\\\""))\""
  }
}

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
