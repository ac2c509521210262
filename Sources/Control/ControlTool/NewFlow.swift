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
    let template = FlowTemplate(language)
    let names = NewFlowNames(name, checkout: checkout)
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

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 64, name.utf8.last != UInt8(ascii: "-") else { return false }
    return first.isASCIILowercase
      && name.utf8.allSatisfy { $0.isASCIILowercase || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
  }
}
