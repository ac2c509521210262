import CoordinatorKit
import Forms
import Glibc
import Platform
import ScriptEngine

/// The parameters of a run that is to be started.
struct RunOrder: Sendable {
  let script: Script
  let instance: FlowInstance
  let log: ScriptLog
  /// The language of the user who answers; nil if unknown.
  let language: String?
  /// Where the run takes place.
  var surroundings = Surroundings.own

  /// The input of the flow as JSON.
  var inputText: String { JSONValue.object(log.input).canonicalText }

  /// The features that this engine offers the run; of those that a run keeps, only the ones with which it began.
  private var features: [ScriptFeature] {
    ScriptFeature.allCases.filter { !$0.belongsToRun || log.features.contains($0) }
  }

  /// Returns the environment variables of a process for the run of this number.
  func environment(run number: UInt64, socket: String) -> [String: String] {
    var variables = surroundings.variables(of: script.kind)
    variables["PATH"] = [Self.commands, variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"].compactMap(\.self).joined(
      separator: ":")
    variables["COORDINATOR_SOCKET"] = socket
    variables["COORDINATOR_RUN"] = "\(number)"
    variables["COORDINATOR_LOG"] = "\(ScriptProcess.replayDescriptor)"
    variables["COORDINATOR_FLOW"] = instance.flow
    variables["COORDINATOR_INPUT"] = inputText
    variables["COORDINATOR_FEATURES"] = features.map(\.rawValue).joined(separator: " ")
    if let language { Self.speak(language, in: &variables) }
    return variables
  }

  /// Makes gettext translate to a language.
  static func speak(_ language: String, in variables: inout [String: String]) {
    variables["LANGUAGE"] = language.bytes.replacing("-", with: "_")
    let locale = ["LC_MESSAGES", "LANG"].compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    // In this locale, gettext ignores LANGUAGE (gettext manual, "The LANGUAGE variable").
    if locale == "C" || locale == "POSIX" { variables["LC_MESSAGES"] = "C.UTF-8" }
  }

  /// Makes programs read text as UTF-8, the encoding of all texts of a flow.
  ///
  /// In a locale with another encoding, a shell may read several bytes as one character: GB18030 has characters that end with
  /// an apostrophe, which would break quoting.
  static func speakUTF8(in variables: inout [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variables[$0] }.first { !$0.isEmpty } ?? "C"
    let codeset = locale.bytes.cut(at: ".")?.after.bytes.cut(at: "@")?.before ?? locale.bytes.cut(at: ".")?.after ?? ""
    guard !["utf-8", "utf8"].contains(codeset.bytes.lowercased) else { return }
    // LC_ALL would override the encoding, too; its other effects are kept.
    if let all = variables.removeValue(forKey: "LC_ALL"), !all.isEmpty {
      for name in variables.keys where name.bytes.hasPrefix("LC_") { variables[name] = nil }
      variables["LANG"] = all
    }
    variables["LC_CTYPE"] = "C.UTF-8"
  }

  /// The variables of this process for programs that read UTF-8, without those that describe how it was started.
  static let inherited: [String: String] = {
    var variables = Environment.variables
    for name in ["DBUS_STARTER_ADDRESS", "DBUS_STARTER_BUS_TYPE", "NOTIFY_SOCKET", "LISTEN_FDS", "LISTEN_PID", "INVOCATION_ID"] {
      variables[name] = nil
    }
    speakUTF8(in: &variables)
    return variables
  }()

  /// The directory in which `coordinator-ask` has the name `ask`; nil if there is none.
  static let commands: String? = {
    if let ask = OwnProgram.helper("commands/ask") { return ask.bytes.dropping(suffix: "/ask").map(String.init) }
    return OwnProgram.directory.flatMap { LinkedCommands.directory(of: "\($0)/coordinator-ask") }
  }()
}

/// A directory with a link that gives a program another name, where no package has installed one.
enum LinkedCommands {
  /// Returns a directory with the link `ask` to a program; nil if there is no such program.
  static func directory(of program: String) -> String? {
    guard access(program, X_OK) == 0 else { return nil }
    guard let path = try? RuntimeDirectory.path() else { return nil }
    let commands = "\(path)/commands-\(getpid())"
    mkdir(commands, 0o700)
    unlink("\(commands)/ask")
    guard symlink(program, "\(commands)/ask") == 0 else { return nil }
    return commands
  }

  /// Removes the directory, if this process has created one.
  static func remove() {
    guard let path = try? RuntimeDirectory.path() else { return }
    unlink("\(path)/commands-\(getpid())/ask")
    rmdir("\(path)/commands-\(getpid())")
  }
}

/// The directory of this program's sockets, which only its user can enter.
package enum RuntimeDirectory {
  /// The reason why it cannot be used.
  package struct Failed: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// The directory of root, unless root has named one in which no other user can exchange anything.
  private static let ofRoot = "/run/coordinator-scripts-root"

  /// Returns the path of the directory, which is created if it does not exist.
  ///
  /// - Throws: ``Failed``, also if other users could have written to it.
  package static func path() throws(Failed) -> String {
    let named = (getenv("RUNTIME_DIRECTORY") ?? getenv("XDG_RUNTIME_DIR")).map { String(cString: $0) }
    let base = geteuid() == 0 ? try baseOfRoot(named) : named
    let path = base.map { "\($0)/coordinatord" } ?? "/tmp/coordinatord-\(geteuid())"
    if mkdir(path, 0o700) != 0, errno != EEXIST {
      throw Failed(description: "\(path) cannot be created: \(String(cString: strerror(errno)))")
    }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o022 == 0
    else { throw Failed(description: "\(path) does not belong to this user alone; set XDG_RUNTIME_DIR to a directory that does") }
    return path
  }

  /// Returns where the directory of root is: scripts of root execute programs by a path in it. Of `su` and `sudo`, root may have the
  /// XDG_RUNTIME_DIR of another user, who could exchange what is in it.
  private static func baseOfRoot(_ named: String?) throws(Failed) -> String {
    if let named, let base = resolved(named), isRoots(base) { return base }
    if mkdir(ofRoot, 0o700) != 0, errno != EEXIST {
      throw Failed(description: "\(ofRoot) cannot be created: \(String(cString: strerror(errno)))")
    }
    guard isRoots(ofRoot) else { throw Failed(description: "others than root can change \(ofRoot)") }
    return ofRoot
  }

  /// Returns the path of a directory without symbolic links; nil if there is none.
  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// Returns whether only root can exchange a directory, or one above it.
  ///
  /// - Parameter path: its path, which is absolute and without symbolic links above it.
  /// - Returns: whether that is so.
  static func isRoots(_ path: String) -> Bool {
    var place = ""
    for part in ["."] + path.bytes.split(separator: "/").map(String.init) {
      place += "/\(part)"
      var status = stat()
      guard lstat(place, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == 0,
        // In a directory with the sticky bit, no user exchanges what belongs to another.
        status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0
      else { return false }
    }
    return true
  }
}
