import Foundation
import Glibc
import TLS
import Testing

@testable import CoordinatorWeb

@Suite("The file of the server's own certificate", .timeLimit(.minutes(5)))
struct CertificateStoreTests {
  /// A store in a directory of its own.
  private struct Place: ~Copyable {
    let store: CertificateStore

    init() throws {
      var template = Array("/tmp/certificates-XXXXXX".utf8CString)
      let path = try #require(mkdtemp(&template).map { String(cString: $0) })
      store = CertificateStore(directory: path + "/web")
      #expect(mkdir(store.directory, 0o700) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: (store.directory as NSString).deletingLastPathComponent) }

    var path: String { store.file.path }

    func write(_ text: String, mode: mode_t = 0o600) throws {
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      #expect(chmod(path, mode) == 0)
    }

    /// The error of the store; nil if it returns a certificate.
    func problem() -> String? {
      do throws(CertificateStore.Failure) {
        _ = try store.identity(named: "test", for: [.name("kiosk.local")])
        return nil
      } catch {
        return error.description
      }
    }
  }

  @Test("A certificate is generated once, and then kept as long as it is valid for the machine")
  func certificateIsKept() throws {
    let place = try Place()
    let first = try place.store.identity(named: "test", for: [.name("kiosk.local")])
    #expect(try place.store.identity(named: "test", for: [.name("kiosk.local")]) == first)
    #expect(try place.store.identity(named: "test", for: [.name("other.local")]) != first)
    var status = stat()
    #expect(stat(place.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.store.directory) == ["certificate.pem"])
  }

  @Test("A file that others may have read is replaced, because its key may be known")
  func exposedKeyIsReplaced() throws {
    let place = try Place()
    let first = try place.store.identity(named: "test", for: [.name("kiosk.local")])
    #expect(chmod(place.path, 0o644) == 0)
    #expect(try place.store.identity(named: "test", for: [.name("kiosk.local")]) != first)
  }

  @Test("A file that is not a certificate is reported by its name, and stays as it is", arguments: ["", "nonsense", "-----BEGIN"])
  func garbageIsReported(text: String) throws {
    let place = try Place()
    try place.write(text)
    #expect(place.problem() == "'\(place.path)' cannot be used: the certificate is not in PEM format: no start line"
      || place.problem()?.hasPrefix("'\(place.path)' cannot be used: the certificate is not in PEM format") == true)
    #expect(try String(contentsOfFile: place.path, encoding: .utf8) == text)
  }

  @Test("A certificate whose key is missing is reported, and not replaced")
  func missingKeyIsReported() throws {
    let place = try Place()
    let text = try TLSIdentity.generate(named: "test", for: [.name("kiosk.local")]).certificates
    try place.write(text)
    #expect(place.problem()?.hasPrefix("'\(place.path)' cannot be used: the key is not in PEM format") == true)
    #expect(try String(contentsOfFile: place.path, encoding: .utf8) == text)
  }

  @Test("A directory in the place of the file is reported, and stays")
  func directoryIsReported() throws {
    let place = try Place()
    #expect(mkdir(place.path, 0o700) == 0)
    #expect(place.problem() == "'\(place.path)' is a directory")
    #expect(rmdir(place.path) == 0)
  }

  @Test("A link and a pipe in the place of the file are reported, and nothing waits for them")
  func otherKindsAreReported() throws {
    let place = try Place()
    #expect(symlink("/dev/null", place.path) == 0)
    #expect(place.problem() == "'\(place.path)' is a symbolic link")
    #expect(unlink(place.path) == 0 && mkfifo(place.path, 0o600) == 0)
    #expect(place.problem() == "'\(place.path)' is not a file")
  }

  @Test("A file that may not be read is reported with the reason, and not replaced")
  func forbiddenFileIsReported() throws {
    let place = try Place()
    let text = "somebody else's"
    try place.write(text, mode: 0o000)
    #expect(chmod((place.store.directory as NSString).deletingLastPathComponent, 0o755) == 0)
    #expect(chmod(place.store.directory, 0o755) == 0)
    // The rights of this thread, because tests may run as root, who may read everything.
    let isRoot = geteuid() == 0
    if isRoot { setfsuid(65_534) }
    let problem = place.problem()
    if isRoot { setfsuid(0) }
    #expect(problem == "cannot read '\(place.path)': Permission denied")
    #expect(chmod(place.path, 0o600) == 0)
    #expect(try String(contentsOfFile: place.path, encoding: .utf8) == text)
  }

  @Test("An error of the disk is reported with its reason")
  func readErrorIsReported() {
    // Nothing is mapped at address 0, so that reading fails as it does on a broken disk.
    #expect(throws: PEMFile.Failure("cannot read '/proc/self/mem': Input/output error")) {
      try PEMFile(path: "/proc/self/mem").text()
    }
  }

  @Test("A disk that is full is reported with that reason, and the file stays as it was")
  func writeErrorIsReported() throws {
    let place = try Place()
    // The directory is gone, which only the last call of several tells.
    #expect(rmdir(place.store.directory) == 0)
    #expect(symlink("/proc/self/fdinfo", place.store.directory) == 0)
    let problem = try #require(place.problem())
    #expect(problem.hasPrefix("cannot write '\(place.path)."), "\(problem)")
    #expect(!problem.hasSuffix(": Success"), "\(problem)")
    #expect(unlink(place.store.directory) == 0)
  }

  @Test("A file that an administrator has given may be a pipe, but not a directory, nothing or without end")
  func givenFilesAreRead() throws {
    #expect(throws: PEMFile.Failure("cannot read '/nowhere': No such file or directory")) {
      try PEMFile(path: "/nowhere").text()
    }
    #expect(throws: PEMFile.Failure("'/tmp' is a directory")) { try PEMFile(path: "/tmp").text() }
    #expect(throws: PEMFile.Failure("'/dev/zero' is too large for a certificate")) { try PEMFile(path: "/dev/zero").text() }
  }
}
