import CoordinatorBus
import CoordinatorKit
import DBus
import Glibc
import Platform

/// The object of this program for authors and administrators of scripts: `coordinatorctl script` calls it.
package struct ScriptsObject: ExportedObject {
  /// The path of the object.
  package static let path: ObjectPath = "/org/coordinatord/Scripts1"
  /// The interface of the object.
  package static let interface = InterfaceDescription(
    "org.coordinatord.Scripts1",
    methods: [
      MethodDescription("ReadOutput", inputs: [Argument("coordinator", "o")], outputs: [Argument("lines", "as")]),
      MethodDescription("DropLast", inputs: [Argument("coordinator", "o")]),
    ])

  private let service: ScriptService
  private let connection: Connection

  /// Creates the object.
  package init(_ service: ScriptService, on connection: Connection) { (self.service, self.connection) = (service, connection) }

  package var interfaces: [InterfaceDescription] { [Self.interface] }

  package func handle(_ call: IncomingCall) {
    Task {
      // On the system bus, anybody may call.
      guard await isAdministrator(call.sender) else {
        return call.fail(.accessDenied("only root and the user of this program may do this"))
      }
      answer(call)
    }
  }

  private func answer(_ call: IncomingCall) {
    guard let path = call.arguments.first?.objectPath, let coordinator = CoordinatorPath(objectPath: path) else {
      return call.fail(.invalidArgs("the argument is not the path of a coordinator"))
    }
    switch call.member {
    case "ReadOutput": call.reply([.strings(service.output(of: coordinator))])
    case "DropLast":
      service.notes.drop(coordinator.text)
      call.reply()
    default: call.fail(.unknownMethod("no method \(call.member)"))
    }
  }

  private func isAdministrator(_ sender: String) async -> Bool {
    let bus = "org.freedesktop.DBus"
    let reply = try? await connection.call(
      MethodCall(
        destination: bus, path: "/org/freedesktop/DBus", interface: bus, member: "GetConnectionUnixUser",
        arguments: [.string(sender)]))
    guard case .uint32(let user)? = reply?.first else { return false }
    return user == 0 || user == geteuid()
  }
}

extension ScriptService {
  /// The last lines that a coordinator has written; if its flow shares a process with others, theirs too.
  func output(of coordinator: CoordinatorPath) -> [String] {
    let lines = notes.lines(of: coordinator.description)
    guard lines.isEmpty, let script = script(of: coordinator) else { return lines }
    return notes.lines(of: script.file)
  }

  private func script(of coordinator: CoordinatorPath) -> Script? {
    guard let element = coordinator.name.bytes.cutLast(at: "_")?.before else { return nil }
    return scripts.values.first { $0.name.bytes.replacing("-", with: "_").bytes.equals(element) }
  }
}
