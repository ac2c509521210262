import CoordinatorBus
import CoordinatorKit
import Glibc
import Platform
import RendererKit

/// `coordinatorctl new`: writes a flow with its test, ready to run.
public struct NewFlow: Sendable {
  /// What a new flow is written in.
  public enum Language: String, Sendable, Hashable, CaseIterable {
    case shell, python, swift, swiftProvider
  }

  /// A file of a new flow.
  struct File: Sendable, Hashable {
    /// The path below the directory.
    var path: String
    var text: String
    var isExecutable = false
  }

  private let output: ToolOutput

  /// Creates the command.
  public init(output: ToolOutput) { self.output = output }

  /// Writes the files of a flow, and says how to try it. Existing files are never changed.
  ///
  /// - Parameters:
  ///   - name: name of the flow.
  ///   - language: what it is written in.
  ///   - directory: directory for the files, which is created if need be.
  ///   - checkout: directory of the project's sources that a Swift package depends on; nil for the published ones.
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
    let (files, commands) = Self.contents(name, language, checkout)
    let paths = files.map { "\(directory)/\($0.path)" }
    if let existing = paths.first(where: { access($0, F_OK) == 0 }) {
      throw ToolFailure(["'\(existing.printable)' exists already"])
    }
    for (file, path) in zip(files, paths) { try write(file, path) }
    let here = directory == "." ? commands : ["cd \(Self.quoted(directory))"] + commands
    output.say(
      paths.map { "wrote \($0)".printable } + ["next:"] + here.map { "  \($0)".printable },
      json: ["files": .array(paths.map { .string($0) }), "next": .array(here.map { .string($0) })])
  }

  private func write(_ file: File, _ path: String) throws(ToolFailure) {
    do {
      if let slash = path.lastIndex(of: "/"), slash > path.startIndex {
        try FileContent.createDirectories(String(path[..<slash]))
      }
      try FileContent.write(Array(file.text.utf8), to: path, mode: file.isExecutable ? 0o755 : 0o644, isNew: true)
    } catch {
      throw ToolFailure(["cannot write '\(path.printable)': \(error)"])
    }
  }

  /// Returns the files of a flow, and the commands that try it.
  static func contents(
    _ name: String, _ language: Language, _ checkout: String? = nil
  ) -> (files: [File], commands: [String]) {
    switch language {
    case .shell: ShellTemplate(name).contents
    case .python: PythonTemplate(name).contents
    case .swift: DaemonTemplate(name, checkout: checkout).contents
    case .swiftProvider: ProviderTemplate(name, checkout: checkout).contents
    }
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64, name.utf8.last != UInt8(ascii: "-") else { return false }
    let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return letters.contains(first)
      && name.utf8.allSatisfy { letters.contains($0) || digits.contains($0) || $0 == UInt8(ascii: "-") }
  }

  /// The text as one word of a shell.
  private static func quoted(_ text: String) -> String {
    let plain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
    return plain ? text : "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}

extension NewFlow {
  /// The name of a flow as a title: `make-coffee` becomes `Make coffee`.
  static func title(_ name: String) -> String {
    let words = name.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
