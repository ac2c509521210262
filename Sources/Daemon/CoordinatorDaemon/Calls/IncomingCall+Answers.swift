import CoordinatorBus
import CoordinatorKit
import DBus

extension IncomingCall {
  /// The caller, as recorded in the history.
  var caller: Caller { Caller(user: credentials?.user, name: sender) }

  /// Replies with a tree's answer.
  func answer(_ result: Result<TreeAnswer, CallError>, to asked: TreeCall) {
    if case (.saveDraft, .success) = (asked, result) { return reply() }
    switch result {
    case .success(.revision(let revision)): reply([.uint64(revision)])
    case .success(.child(let path)): reply([.objectPath(path.objectPath)])
    case .failure(let error): fail(error.dbusError)
    }
  }
}
