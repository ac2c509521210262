import Glibc
import Languages
import Platform

/// Opens a URL in the browser of the user who started the server, once. Safe to use from any thread.
///
/// The URL is passed in a file with mode 0600, not on the command line, which all users of the machine can read.
final class BrowserOpener: Sendable {
  private let file = Lock<String?>(nil)

  /// Opens a URL. Every further call only removes the file.
  ///
  /// - Parameter address: URL to open.
  /// - Returns: a message for the user on failure, otherwise nil.
  func open(_ address: String) -> String? {
    guard file.withLock({ $0 == nil }) else {
      // The first URL has been used, so the file is no longer needed.
      forget()
      return nil
    }
    let directory = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/tmp"
    let path = "\(directory)/coordinator-web-\(Token().text).html"
    let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return "coordinator-web: cannot write to \(directory); open the address yourself" }
    let page = Array(Self.page(leadingTo: address).markup.utf8)
    let count = write(descriptor, page, page.count)
    close(descriptor)
    file.withLock { $0 = path }
    guard count == page.count, Self.start("xdg-open", path) else {
      return "coordinator-web: xdg-open could not be started; open the address yourself"
    }
    return nil
  }

  /// Removes the file.
  func forget() {
    file.withLock { path in
      if let old = path, !old.isEmpty { unlink(old) }
      if path != nil { path = "" }
    }
  }

  private static func page(leadingTo address: String) -> HTML {
    .document(
      tag("html", Attribute("lang", (Translation.current?.tag ?? .english).bcp47)) {
        tag("head") {
          void("meta", Attribute("charset", "utf-8"))
          void("meta", Attribute("http-equiv", "refresh"), Attribute("content", "0; url=\(address)"))
          tag("title") { "…" }
        }
        tag("body") { tag("p") { tag("a", Attribute("href", address)) { Text("Continue") } } }
      })
  }

  /// Starts a program without waiting for it.
  private static func start(_ program: String, _ argument: String) -> Bool {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The program must not inherit this process's signal mask and ignored signals.
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), strdup(argument), nil]
    defer { for argument in arguments { free(argument) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The browser must not write into the output, whose first line is the URL.
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    var process = pid_t()
    guard posix_spawnp(&process, program, &actions, &attributes, &arguments, environ) == 0 else { return false }
    return true
  }
}
