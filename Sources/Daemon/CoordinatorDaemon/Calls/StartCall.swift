import CoordinatorBus
import DBus

/// A call of `StartFlow` or `RunFlow` whose name and options have been read. Its input, which may be large, is read when
/// the call is admitted, and not each time the call is held back.
struct StartCall: Sendable {
  /// The method, which determines when to reply, and the default lifetime.
  let kind: StartWaiter.Kind
  /// The name of the flow.
  let flow: String
  let input: Value
  let options: Options

  /// What must have been restored before it can be decided whether the flow is to be started.
  var need: RestorationNeed { options.token.map { .root($0) } ?? .names }
}
