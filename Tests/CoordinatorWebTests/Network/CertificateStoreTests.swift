import Foundation
import Glibc
import TLS
import Testing

@testable import CoordinatorWeb

@Suite("The file of the server's own certificate", .timeLimit(.minutes(5)))
struct CertificateStoreTests {
  /// A store in its own directory.
  private final class Place {
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

    /// Returns the fingerprint of the store's certificate for a name, as browsers see it.
    func fingerprint(for name: String = "kiosk.local") throws -> CertificateFingerprint {
      try TLSContext(store.identity(named: "test", for: [.name(name)], required: [.name(name)])).fingerprint
    }

    /// The error of the store; nil if it returns a certificate.
    func problem() -> String? {
      do throws(CertificateStore.Failure) {
        _ = try store.identity(named: "test", for: [.name("kiosk.local")], required: [.name("kiosk.local")])
        return nil
      } catch {
        return error.description
      }
    }
  }

  @Test("A certificate is generated once, and then kept as long as it is valid for the machine")
  func certificateIsKept() throws {
    let place = try Place()
    let first = try place.fingerprint()
    #expect(try place.fingerprint() == first)
    #expect(try place.fingerprint(for: "other.local") != first)
    var status = stat()
    #expect(stat(place.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.store.directory) == ["certificate.pem"])
  }

  @Test("A file that others may have read is replaced, because its key may be known")
  func exposedKeyIsReplaced() throws {
    let place = try Place()
    let first = try place.fingerprint()
    #expect(chmod(place.path, 0o644) == 0)
    #expect(try place.fingerprint() != first)
  }

  @Test(
    "A file that is not a certificate is reported by its name, and stays as it is", arguments: ["", "nonsense", "-----BEGIN"])
  func garbageIsReported(text: String) throws {
    let place = try Place()
    try place.write(text)
    #expect(place.problem()?.hasPrefix("'\(place.path)' cannot be used: the certificate is not in PEM format") == true)
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
    // Changes the rights of this thread, because tests may run as root, who may read all files.
    let isRoot = geteuid() == 0
    if isRoot { try Self.access(as: 65_534) }
    let problem = place.problem()
    if isRoot { try Self.access(as: 0) }
    #expect(problem == "cannot read '\(place.path)': Permission denied")
    #expect(chmod(place.path, 0o600) == 0)
    #expect(try String(contentsOfFile: place.path, encoding: .utf8) == text)
  }

  /// Gives this thread the file access rights of a user: setfsuid(2), which the module of the C library does not contain.
  private static func access(as user: uid_t) throws {
    typealias Call = @convention(c) (uid_t) -> Int32
    let call = unsafeBitCast(try #require(dlsym(nil, "setfsuid")), to: Call.self)
    _ = call(user)
  }

  @Test("An error of the disk is reported with its reason")
  func readErrorIsReported() {
    // Nothing is mapped at address 0, so that reading fails as it does on a broken disk.
    #expect(throws: PEMFile.Failure("cannot read '/proc/self/mem': Input/output error")) {
      try PEMFile(path: "/proc/self/mem").text()
    }
  }

  @Test("An error of writing has the reason of the call that failed, and nothing is left behind")
  func writeErrorIsReported() throws {
    let place = try Place()
    #expect(rmdir(place.store.directory) == 0 && symlink("/proc/self/fdinfo", place.store.directory) == 0)
    let problem = place.problem()
    #expect(problem?.hasPrefix("cannot write '\(place.path).") == true, "\(problem ?? "nothing")")
    #expect(problem?.hasSuffix(": No such file or directory") == true, "\(problem ?? "nothing")")
    // The last step fails, after others have succeeded.
    #expect(unlink(place.store.directory) == 0 && mkdir(place.store.directory, 0o700) == 0)
    #expect(mkdir(place.path, 0o700) == 0)
    #expect(throws: PEMFile.Failure("cannot write '\(place.path)': Is a directory")) { try place.store.file.replace(with: "x") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: place.store.directory) == ["certificate.pem"])
  }

  @Test("A file that an administrator has given is reported if it is missing, a directory, or without end")
  func givenFilesAreRead() {
    #expect(throws: PEMFile.Failure("cannot read '/nowhere': No such file or directory")) {
      try PEMFile(path: "/nowhere").text()
    }
    #expect(throws: PEMFile.Failure("'/tmp' is a directory")) { try PEMFile(path: "/tmp").text() }
    #expect(throws: PEMFile.Failure("'/dev/zero' is too large for a certificate")) { try PEMFile(path: "/dev/zero").text() }
  }
}
