import CoordinatorKit
import Glibc

/// The users of this system, managed with the system's programs.
struct SystemUsers: Users {
  /// Where passwd(5), shadow(5) and group(5) are.
  var directory = "/etc"

  func fullName(of login: String) throws -> String? {
    guard let entry = try entry(of: login), entry.ownsHome else { return nil }
    return entry.fullName
  }

  func add(_ person: Person) throws {
    if let entry = try entry(of: person.login) { try removeHalf(of: person, entry) }
    // The user who sets a machine up may become root on it, if the system has the group sudo.
    let groups = try fields(of: "sudo", in: "group") == nil ? [] : ["--groups", "sudo"]
    try Program(name: "useradd").run(
      ["--create-home", "--shell", "/bin/bash", "--comment", person.name] + groups + ["--", person.login])
  }

  /// Removes the incomplete user that a power cut has left. Never removes an account with a password, whose home may only be
  /// unmounted, or a home with files in it.
  private func removeHalf(of person: Person, _ entry: PasswdEntry) throws {
    guard entry.fullName == person.name else { throw Problem(Text("{login} is somebody else.", ["login": person.login])) }
    guard try !hasPassword(person.login), rmdir(entry.home) == 0 || errno == ENOENT else {
      throw Problem(Text("{login} has an account already, without a home directory.", ["login": person.login]))
    }
    try Program(name: "userdel").run(["--", person.login])
  }

  func hasPassword(_ login: String) throws -> Bool {
    guard let fields = try fields(of: login, in: "shadow"), fields.count > 1 else { return false }
    // A locked password counts: the administrator who has locked it does not want it replaced.
    return fields[1].contains { $0 != "!" && $0 != "*" }
  }

  func isPassword(_ password: Secret, of login: String) throws -> Bool {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1024)
    defer { bytes.wipe() }
    password.withBytes { for index in $0.indices { bytes.append($0[index]) } }
    bytes.append(0)
    // The program that PAM uses: it knows all kinds of hashes.
    return (try? Program(name: "unix_chkpwd").run([login, "nonull"], input: bytes.span)) != nil
  }

  func setPassword(_ password: Secret, of login: String) throws {
    var line = Array("\(login):".utf8)
    line.reserveCapacity(line.count + 513)
    defer { line.wipe() }
    password.withBytes { for index in $0.indices { line.append($0[index]) } }
    // The program reads one user per line: a line break would give another user a password.
    guard !line.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw Problem("A password has no line breaks.") }
    line.append(0x0A)
    try Program(name: "chpasswd").run(input: line.span)
  }

  private func entry(of login: String) throws -> PasswdEntry? { try fields(of: login, in: "passwd").flatMap(PasswdEntry.init) }

  /// Returns the fields of a line of a file such as passwd(5); nil if there is none for the name.
  private func fields(of name: String, in file: String) throws -> [Substring]? {
    try Self.lines(of: "\(directory)/\(file)").first { $0.hasPrefix(name + ":") }?
      .split(separator: ":", omittingEmptySubsequences: false)
  }

  static func lines(of file: String) throws -> [Substring] {
    guard let stream = fopen(file, "re") else { throw Problem(Text(verbatim: "\(file): \(String(cString: strerror(errno)))")) }
    defer { fclose(stream) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer.prefix(count) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}

extension [UInt8] {
  /// Overwrites what is in this memory.
  fileprivate mutating func wipe() {
    withUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
    }
  }
}
