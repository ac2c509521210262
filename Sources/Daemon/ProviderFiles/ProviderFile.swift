import CoordinatorKit
import DBus

/// A file that says which program serves which flows.
package struct ProviderFile: Sendable {
  /// The path of the file.
  package let path: String
  /// The well-known name of the program.
  package let busName: String
  /// What the program is called, for people; nil to use its bus name.
  package let title: String?
  /// The path of the program's object.
  package let objectPath: ObjectPath
  /// The number of the user, besides root, who may own the name on the system bus; nil for none.
  package let user: UInt32?
  /// The flows of others that its flows may start; nil if the file does not say.
  package let children: Set<String>?
  /// How many trees the program may be asked about at the same time.
  package let concurrency: UInt32
  /// The flows, sorted by name.
  package let flows: [RegisteredFlow]

  package static let defaultPath: ObjectPath = "/org/coordinatord/FlowProvider1"
  package static let defaultConcurrency: UInt32 = 16
  package static let maxConcurrency: UInt32 = 1024
  /// The most flows of one program.
  package static let maxFlows = 1000
  /// The most bytes of a title or a summary.
  package static let maxText = 4096
}
