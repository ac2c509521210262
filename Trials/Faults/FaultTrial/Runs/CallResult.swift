import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus

/// The result of a call, as far as the trial distinguishes results.
enum CallResult {
  case answered([Value])
  /// The daemon reports that nothing has changed.
  case notStored(String)
  /// The tree is held, because it cannot be restored now.
  case held(String)
  /// There is no daemon, or it died before it answered.
  case died
  /// Any other error.
  case refused(String)

  /// Makes a call and returns its result.
  static func of(_ call: MethodCall, on connection: Connection) async -> CallResult {
    do {
      return .answered(try await connection.call(call, deadline: .seconds(50)))
    } catch {
      return CallResult(error)
    }
  }

  /// Creates the result for the error of a call.
  init(_ error: any Error) {
    if DaemonDied(error) != nil {
      self = .died
      return
    }
    let (name, text) =
      switch error {
      case let error as DBusError: (error.name, error.description)
      case ClientError.failed(let error): (error.name, error.description)
      case ClientError.refused(let error): (".\(error.shortName)", error.message)
      default: ("", "\(error)")
      }
    switch name {
    case let name where name.hasSuffix(".NotStored"): self = .notStored(text)
    case let name where name.hasSuffix(".Held"): self = .held(text)
    default: self = .refused(text)
    }
  }
}
