import CoordinatorBus
import CoordinatorClient
import CrashTrial
import DBus

/// What came of a call, as far as a trial has to tell results apart.
enum CallResult {
  case answered([Value])
  /// Nothing has changed, the daemon says.
  case notStored(String)
  /// The tree is held: it cannot be taken up now.
  case held(String)
  /// There is no daemon, or there was none when it should have answered.
  case died
  /// Anything else.
  case refused(String)

  /// Makes a call.
  static func of(_ call: MethodCall, on connection: Connection) async -> CallResult {
    do {
      return .answered(try await connection.call(call, deadline: .seconds(50)))
    } catch {
      return CallResult(error)
    }
  }

  /// Sorts an error of a call.
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
