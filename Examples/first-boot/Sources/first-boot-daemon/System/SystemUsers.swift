import CoordinatorKit
import Glibc

/// The users of this system, by the programs that come with it.
struct SystemUsers: Users {
  func fullName(of login: String) throws -> String? {
    guard let fields = try Self.fields(of: login, in: "/etc/passwd"), fields.count > 5 else { return nil }
    // The directory is made last.
    return access(String(fields[5]), F_OK) == 0 ? String(fields[4].prefix { $0 != "," }) : nil
  }

  func add(_ person: Person) throws {
    // Half of a user, whom a power cut has left.
    if try Self.fields(of: person.login, in: "/etc/passwd") != nil { try Program(name: "userdel").run(["--", person.login]) }
    // Who sets a machine up may become root on it, where that is usual.
    let groups = try Self.fields(of: "sudo", in: "/etc/group") == nil ? [] : ["--groups", "sudo"]
    try Program(name: "useradd").run(
      ["--create-home", "--shell", "/bin/bash", "--comment", person.name] + groups + ["--", person.login])
  }

  func hasPassword(_ login: String) throws -> Bool {
    guard let fields = try Self.fields(of: login, in: "/etc/shadow"), fields.count > 1 else { return false }
    return fields[1].hasPrefix("$")
  }

  func setPassword(_ password: Secret, of login: String) throws {
    var line = Array("\(login):".utf8)
    line.reserveCapacity(line.count + 513)
    password.withBytes { for index in $0.indices { line.append($0[index]) } }
    defer {
      line.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
      }
    }
    // The program takes a line for each user: a line break would give another user a password.
    guard !line.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { throw Problem("A password has no line breaks.") }
    line.append(0x0A)
    try Program(name: "chpasswd").run(input: line.span)
  }

  /// Returns the fields of a line of a file such as passwd(5); nil if there is none for the name.
  static func fields(of name: String, in file: String) throws -> [Substring]? {
    try lines(of: file).first { $0.hasPrefix(name + ":") }?.split(separator: ":", omittingEmptySubsequences: false)
  }

  static func lines(of file: String) throws -> [Substring] {
    guard let stream = fopen(file, "re") else { throw Problem(Text(verbatim: "\(file): \(String(cString: strerror(errno)))")) }
    defer { fclose(stream) }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while case let count = fread(&buffer, 1, buffer.count, stream), count > 0 { bytes += buffer.prefix(count) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}
