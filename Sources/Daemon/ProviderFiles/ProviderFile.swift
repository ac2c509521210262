import ConfigurationFiles
import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Platform

/// A file that names a program and the flows that it serves.
package struct ProviderFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The well-known name of the program.
  package let busName: String
  /// The title of the program, for users; nil to use its bus name.
  package let title: String?
  /// The path of the program's object.
  package let objectPath: ObjectPath
  /// The number of the user, besides root, who may own the name on the system bus; nil for none.
  package let user: UInt32?
  /// The flows of other programs that its flows may start; nil if the file does not list them.
  package let children: Set<String>?
  /// The maximum number of trees for which the program receives calls at the same time.
  package let concurrency: UInt32
  /// The flows, sorted by name.
  package let flows: [RegisteredFlow]

  package static let defaultPath: ObjectPath = "/org/coordinatord/FlowProvider1"
  package static let defaultConcurrency: UInt32 = 16
  package static let maxConcurrency: UInt32 = 1024
  /// The maximum number of flows of one program.
  package static let maxFlows = 1000
  /// The maximum size of a title or a summary, in bytes.
  package static let maxText = 4096
}

extension ProviderFile {
  /// The result of reading a file.
  package struct Reading: Sendable {
    /// The path of the file.
    package let path: String
    /// The contents of the file; nil if it has problems, or is empty.
    package var file: ProviderFile?
    /// The bus name; nil if the file contains none.
    package var busName: String?
    /// The problems, each with its line.
    package var problems: [ConfigurationProblem]

    /// Whether the file is empty, like a link to `/dev/null`, so that it hides files of the same name elsewhere.
    package var isEmpty: Bool { file == nil && problems.isEmpty }
  }

  /// Reads a file, and the schemas that it names. Blocks while files are read and users are looked up.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: its contents, or its problems.
  package static func read(_ path: String) -> Reading {
    var text = Configuration(ProviderKey.all, file: path)
    guard !text.files.isEmpty else { return Reading(path: path, file: nil, busName: nil, problems: text.problems) }
    guard !text.problems.isEmpty || text.hasValues || !text.sections.isEmpty else {
      return Reading(path: path, file: nil, busName: nil, problems: [])
    }
    let user = user(&text)
    let busName = busName(&text, path)
    let directory = path.bytes.cutLast(at: "/").map { "\($0.before)/" } ?? ""
    let flows = text.sections.compactMap { FlowReader(directory: directory).flow(in: $0, &text) }
    if text.sections.isEmpty { text.refuse(file: path, "names no flow; expected a section [Flow NAME]") }
    if text.sections.count > maxFlows { text.refuse(file: path, "a provider must not serve more than \(maxFlows) flows") }
    guard text.problems.isEmpty, let busName else {
      return Reading(path: path, file: nil, busName: busName, problems: text.problems)
    }
    let objectPath = text[ProviderKey.objectPath].flatMap { try? ObjectPath($0) } ?? defaultPath
    let file = ProviderFile(
      path: path, busName: busName, title: text[ProviderKey.title], objectPath: objectPath, user: user,
      children: text.isSet(ProviderKey.children) ? Set(text[ProviderKey.children]) : nil,
      concurrency: text[ProviderKey.concurrency], flows: flows.sorted { $0.description.name < $1.description.name })
    return Reading(path: path, file: file, busName: busName, problems: [])
  }

  private static func busName(_ text: inout Configuration, _ path: String) -> String? {
    guard let name = text[ProviderKey.busName] else {
      if !text.isWrong(ProviderKey.busName) { text.refuse(file: path, "lacks BusName= in the section [Provider]") }
      return nil
    }
    if [Contract.busName, "org.freedesktop.DBus"].contains(name) {
      text.refuse(ProviderKey.busName, "is the name of another service")
    }
    return name
  }

  private static func user(_ text: inout Configuration) -> UInt32? {
    guard let name = text[ProviderKey.user] else { return nil }
    if let number = UInt32(name) { return number }
    let number = SystemUser.number(of: name)
    if number == nil { text.refuse(ProviderKey.user, "there is no user '\(name)' on this system") }
    return number
  }
}

/// Reads the sections that describe flows.
private struct FlowReader {
  /// The directory of the file, with a slash at its end.
  let directory: String

  func flow(in section: ConfigurationSection, _ text: inout Configuration) -> RegisteredFlow? {
    let name = section.name
    guard name.utf8.count <= 128 else {
      text.refuse(section, "the name of a flow must have 1 to 128 bytes")
      return nil
    }
    if text[ProviderKey.flowTitle, in: section] == nil, !text.isWrong(ProviderKey.flowTitle) {
      text.refuse(section, "lacks Title=")
    }
    let input = schema(ProviderKey.input, in: section, &text)
    let result = schema(ProviderKey.result, in: section, &text)
    let output = schema(ProviderKey.output, in: section, &text)
    let schema = input ?? .object()
    let form: Form
    do { form = try Form(schema: schema, order: schema.fields.map(\.name)) } catch {
      text.refuse(ProviderKey.input, in: section, "\(error)")
      return nil
    }
    if !schema.secretFields.isEmpty {
      text.refuse(
        ProviderKey.input, in: section, "has a secret field: ask for secrets on a screen, because inputs are stored")
    }
    let version =
      text.isSet(ProviderKey.flowVersion, in: section)
      ? text[ProviderKey.flowVersion, in: section] : text[ProviderKey.version]
    return RegisteredFlow(
      description: FlowDescription(
        name, title: Text(verbatim: text[ProviderKey.flowTitle, in: section] ?? ""),
        summary: Text(verbatim: text[ProviderKey.summary, in: section] ?? ""), input: form,
        router: text[ProviderKey.router, in: section].kind, isRehearsable: text[ProviderKey.rehearsable, in: section],
        canBeLeft: text[ProviderKey.leavable, in: section], isInternal: text[ProviderKey.isInternal, in: section],
        isSingleton: text[ProviderKey.singleton, in: section], isPart: text[ProviderKey.isPart, in: section]),
      schemas: FlowSchemas(result: result, output: output), version: version,
      deadline: text[ProviderKey.deadline, in: section])
  }

  private func schema(
    _ key: ConfigurationKey<String?>, in section: ConfigurationSection, _ text: inout Configuration
  ) -> Schema? {
    guard let name = text[key, in: section] else { return nil }
    do {
      return try SchemaFile.read(directory + name)
    } catch {
      text.refuse(key, in: section, error.description)
      return nil
    }
  }
}

/// The users of the system.
enum SystemUser {
  /// Returns the number of a user; nil if there is no such user. Blocks the calling thread.
  static func number(of name: String) -> UInt32? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var size = 4_096
    while size <= 1 << 20 {
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      defer { buffer.deallocate() }
      let status = getpwnam_r(name, &entry, buffer, size, &found)
      guard status == ERANGE else { return found == nil ? nil : entry.pw_uid }
      size *= 4
    }
    return nil
  }
}

/// Reads the files with JSON Schemas that provider files name.
enum SchemaFile {
  /// The problem with a file.
  struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
  }

  /// Reads a schema.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: the schema.
  /// - Throws: ``Fault``.
  static func read(_ path: String) throws(Fault) -> Schema {
    let bytes: [UInt8]?
    do { bytes = try ConfigurationDisk.read(path) } catch { throw Fault(description: "cannot be read: \(error.reason)") }
    guard let bytes else { throw Fault(description: "no such file") }
    guard Self.depth(of: bytes) <= maxNesting else { throw Fault(description: "is nested too deeply") }
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes) } catch { throw Fault(description: "is not JSON: \(error)") }
    do { _ = try Value(json: json) } catch { throw Fault(description: "\(error)") }
    let schema: Schema
    do { schema = try Schema(json: json) } catch { throw Fault(description: "\(error)") }
    guard schema.json.object?["type"] == .string("object") else { throw Fault(description: "must describe an object") }
    return schema
  }

  /// The maximum nesting, which exceeds that of a message on the bus.
  private static let maxNesting = 64

  /// Returns the maximum number of brackets that are open at once; brackets in strings count as well.
  private static func depth(of bytes: [UInt8]) -> Int {
    var (open, most) = (0, 0)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open += 1
        most = max(most, open)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
      default: break
      }
    }
    return most
  }
}
