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
    let process = try? ProcessStart.start(
      program, [program, argument].map([CChar].init(argument:)), [.ownGroup, .searched]
    ) { actions in
      // The browser must not write into the output, whose first line is the URL.
      for number in [STDOUT_FILENO, STDERR_FILENO] { actions.open(number, "/dev/null", O_WRONLY) }
    }
    return process != nil
  }
}
