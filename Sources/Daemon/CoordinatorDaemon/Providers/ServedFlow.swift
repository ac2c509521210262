import CoordinatorKit
import DBus
import ProviderFiles

/// Who serves a flow, and how to ask it.
struct ServedFlow: Sendable {
  /// The flow as its provider describes it: its registration, as long as it runs, or its file.
  let flow: RegisteredFlow
  /// The well-known name of the provider; "" for a connection without one.
  let name: String
  /// The unique name of the connection that serves the flow now; nil if the provider is not running.
  var owner: String?
  /// The path of the provider's object.
  let path: ObjectPath
  /// The file that gives the flow to the provider; nil for one that has only registered.
  let file: ProviderFile?
  /// What the provider has registered; nil as long as it has not.
  var registration: FlowRegistration?

  /// How the provider is named to people.
  var title: String { file?.title ?? (name.isEmpty ? owner ?? "" : name) }

  /// What tells providers apart: a name, or a connection without one.
  var key: String { name.isEmpty ? owner ?? "" : name }

  /// How many trees the provider may be asked about at the same time.
  var concurrency: Int {
    let registered = registration?.concurrency ?? FlowRegistration.maxConcurrency
    return min(registered, Int(file?.concurrency ?? ProviderFile.defaultConcurrency))
  }

  /// The program.
  var program: ServingProgram { ServingProgram(name: name, version: flow.version, digest: registration?.digest ?? "") }

  /// Whether the bus may be asked to start the provider: what only registers is started by others.
  var mayBeActivated: Bool { file != nil }

  /// Returns whether the same program serves another flow at the same object.
  func isServed(as other: ServedFlow) -> Bool { name == other.name && owner == other.owner && path == other.path }
}
