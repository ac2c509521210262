import CoordinatorClient
import DBus
import Glibc
import Languages
import LinearTerminal
import Platform
import RendererKit

/// Shows one flow repeatedly in this terminal: it restarts when the flow ends, when its user leaves, and after a time without
/// input.
struct KioskLoop: Sendable {
  let session: ToolSession
  let policy: KioskPolicy
  let flow: String
  let input: [Assignment]
  let write: @Sendable (String) -> Void
  let complain: @Sendable (String) -> Void
  /// Shows a flow tree until it ends, or until its user leaves.
  let show: @Sendable (ObjectPath) async throws -> ToolExit
  /// Returns whether the input has ended, so that no user can answer here.
  let isInputOver: @Sendable () -> Bool

  /// Runs until the process or its input has ended; without a lock, also until a user leaves.
  ///
  /// - Parameter token: name of the kiosk; without a lock, of the first flow tree.
  /// - Returns: the exit code of a user who has left.
  /// - Throws: `ToolFailure`.
  func run(token: String?) async throws -> ToolExit {
    let kiosk = try KioskName(policy, token: token, flow: flow, place: Self.place)
    var (tree, isUsed, policy) = try await begin(kiosk, token: token)
    while true {
      if policy.isLocked { TerminalLock.lock() }
      let idleness = TerminalIdleness(policy: policy, descriptor: STDIN_FILENO, isTouched: isUsed)
      let reset = Task { [tree] in
        guard await idleness.isOver(warn: { write("\u{7}") }) else { return false }
        return (try? await session.daemon.coordinator(tree).dismiss()) != nil
      }
      let exit = try await show(tree)
      reset.cancel()
      let isReset = await reset.value
      if try await session.doing({ () async throws(ClientError) in try await session.daemon.manager.outcome(of: tree) }) == nil {
        // The flow continues although its user has left.
        guard policy.isLocked, !isInputOver() else { return exit }
        isUsed = true
        continue
      }
      if !isReset {
        guard let time = policy.restartTime ?? policy.idleTime else { return exit }
        await pause(time)
      }
      write(Self.clear)
      (tree, isUsed, policy) = try await begin(kiosk, token: nil)
    }
  }

  /// Takes up or starts the flow tree, and decides the policy for it.
  private func begin(
    _ kiosk: KioskName?, token: String?
  ) async throws(ToolFailure) -> (tree: ObjectPath, isUsed: Bool, policy: KioskPolicy) {
    guard let kiosk else {
      let (tree, own) = try await session.opened(flow, input, token: token)
      guard own != nil else {
        throw ToolFailure(["--kiosk, --restart-after and --idle-reset require a flow to start"], exit: .usage)
      }
      return (tree, false, policy)
    }
    let taken = try await session.takeUp(kiosk, flow, input)
    for notice in taken.notices(policy, of: flow) { complain("coordinator-tui: \(notice)\n") }
    return (taken.tree, taken.isUsed, taken.policy(policy))
  }

  /// The name of the terminal, if it is a console; terminals of other kinds have another name each time.
  private static var place: String {
    guard let path = ttyname(STDIN_FILENO).map({ String(cString: $0) }), let name = path.bytes.dropping(prefix: "/dev/"),
      name.bytes.hasPrefix("tty")
    else { return "terminal" }
    return String(name)
  }

  /// Clears the screen, and the lines that have left it, so that the next person cannot scroll back to them.
  private static let clear = "\u{1b}[H\u{1b}[2J\u{1b}[3J"

  /// Waits until the flow starts again, or until Enter is pressed.
  private func pause(_ time: Duration) async {
    let clock = ContinuousClock()
    let end = clock.now + time
    while clock.now < end, !Task.isCancelled {
      let left = ClockTime(end - clock.now)
      write(
        "\r\n\u{1b}[A\u{1b}[2K" + Text("This starts again in {time}. Enter starts it now.", ["time": left.description]).string)
      if await TerminalIdleness.enterIsPressed(within: 1_000) { break }
    }
    write("\r\n")
  }
}
