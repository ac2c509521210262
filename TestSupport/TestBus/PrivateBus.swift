import Glibc
import Locking

/// A dbus-daemon of a test's own: started on a socket nobody else knows, and killed when the value goes away or the test
/// process ends.
///
/// The bus has the session bus's policy, so everything is allowed on it, unless it is given a configuration of its own.
public final class PrivateBus: Sendable {
  /// What a client passes to connect to this bus.
  public let address: String
  /// A directory that is removed after the bus has ended.
  public let directory: String
  /// The process id of the dbus-daemon, for tests that kill it.
  public let processIdentifier: Int32

  /// The shell that waits for the daemon, and a pipe that ends it: taken by whoever cleans up.
  private let keeper: Lock<(shell: pid_t, input: Int32)?>

  /// Why a bus could not be started.
  public struct StartFailed: Error {
    /// What dbus-daemon printed instead of its address.
    public let output: String
  }

  /// Starts a dbus-daemon and waits until it listens.
  ///
  /// - Parameter configuration: The XML that dbus-daemon is to read instead of the session bus's.
  /// - Throws: `StartFailed`, also if there is no `dbus-daemon` on the path.
  public init(configuration: String? = nil) throws {
    // The shell reads until its input ends, which happens also when the test process is killed. That of a background job is
    // /dev/null.
    let script = """
      directory=$(mktemp -d)
      echo "$directory"
      if [ -n "$1" ]; then echo "$1" >"$directory/bus.conf"; set -- --config-file="$directory/bus.conf"; else set -- --session; fi
      dbus-daemon "$@" --nofork --nopidfile --nosyslog --print-address=1 --print-pid=1 2>/dev/null & daemon=$!
      exec 1>&-
      read -r _
      kill -9 $daemon 2>/dev/null
      wait $daemon 2>/dev/null
      rm -rf "$directory"
      """
    guard let child = Child(["/bin/sh", "-c", script, "bus", configuration ?? ""]) else {
      throw StartFailed(output: "no process could be started")
    }
    var output = ""
    while output.count(where: \.isNewline) < 3, let more = child.readOutput() { output += more }
    close(child.output)
    let lines = output.split(whereSeparator: \.isNewline)
    guard lines.count == 3, let pid = Int32(lines[2]) else {
      Self.end(child.process, child.input)
      throw StartFailed(output: output)
    }
    directory = String(lines[0])
    address = String(lines[1])
    processIdentifier = pid
    keeper = Lock((child.process, child.input))
  }

  /// Kills the bus as a crash would.
  public func kill() {
    guard let (shell, input) = keeper.withLock({ $0.take() }) else { return }
    _ = Glibc.kill(processIdentifier, SIGKILL)
    Self.end(shell, input)
  }

  private static func end(_ shell: pid_t, _ input: Int32) {
    close(input)
    var status: Int32 = 0
    waitpid(shell, &status, 0)
  }

  deinit { kill() }
}
