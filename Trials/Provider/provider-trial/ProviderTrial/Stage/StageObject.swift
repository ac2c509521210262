import CoordinatorBus
import DBus
import TestBus

/// All objects of the daemon that a trial plays.
struct StageObject: ObjectSource {
  let book: Observed<StageBook>

  func intercept(_ call: IncomingCall) -> Bool {
    switch book.update({ $0.receive(call) }) {
    case .success(let values)?: call.reply(values)
    case .failure(let error)?: call.fail(error)
    case nil: break
    }
    return true
  }

  func object(at path: ObjectPath) -> (any ExportedObject)? { nil }
  func childNames(of path: ObjectPath) -> [String] { [] }
}
