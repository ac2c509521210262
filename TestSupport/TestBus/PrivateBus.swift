import Glibc
import Platform

/// A private dbus-daemon for tests. It listens on a socket that no other process knows, and is killed when this value
/// is deallocated or the test process ends.
///
/// Unless it is given a configuration, the bus has the session bus's policy, which allows everything.
public final class PrivateBus: Sendable {
  /// The address for clients to connect to.
  public let address: String
  /// A directory for tests, which is removed after the bus has ended.
  public let directory: String
  /// The process id of the dbus-daemon, for tests that kill it.
  public let processIdentifier: Int32

  /// The shell that waits for the daemon and the pipe that ends the shell; nil once cleaned up.
  private let keeper: Lock<(shell: pid_t, input: Int32)?>

  /// The error for a bus that could not be started.
  public struct StartFailed: Error {
    /// The output of dbus-daemon in place of its address.
    public let output: String
  }

  /// Starts a dbus-daemon and waits until it listens.
  ///
  /// - Parameters:
  ///   - configuration: the XML configuration for dbus-daemon; nil for that of the session bus.
  ///   - arguments: further arguments of dbus-daemon.
  /// - Throws: `StartFailed`, also if there is no `dbus-daemon` on `PATH`.
  public init(configuration: String? = nil, arguments: [String] = []) throws {
    // The shell reads until its input ends, which also happens when the test process is killed. The shell does the
    // reading because the input of a background job is /dev/null.
    let script = """
      directory=$(mktemp -d)
      echo "$directory"
      kind=--session
      if [ -n "$1" ]; then echo "$1" >"$directory/bus.conf"; kind=--config-file="$directory/bus.conf"; fi
      shift
      dbus-daemon "$kind" "$@" --nofork --nopidfile --nosyslog --print-address=1 --print-pid=1 2>/dev/null & daemon=$!
      exec 1>&-
      read -r _
      kill -9 $daemon 2>/dev/null
      wait $daemon 2>/dev/null
      rm -rf "$directory"
      """
    guard let child = Child(["/bin/sh", "-c", script, "bus", configuration ?? ""] + arguments) else {
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

  /// Kills the bus, as in a crash, and removes its directory.
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
