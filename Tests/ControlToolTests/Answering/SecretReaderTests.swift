import CoordinatorAnswers
import CoordinatorKit
import Foundation
import Testing

@testable import ControlTool

@Suite("Reading secrets", .timeLimit(.minutes(5)))
struct SecretReaderTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "secrets-\(UUID().uuidString)")

  private var reader: SecretReader { SecretReader(environment: ["CREDENTIALS_DIRECTORY": directory.path]) }

  /// Returns a reference to a new file.
  private func file(_ contents: String, named name: String = "secret") throws -> SecretReference {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let file = directory.appending(path: name)
    try Data(contents.utf8).write(to: file)
    return .file(file.path)
  }

  private func read(_ reference: SecretReference) async throws -> String {
    try await reader.read(reference).withString { $0 }
  }

  @Test("A file or a credential is read without one trailing line break")
  func filesAreReadWithoutLineBreak() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    #expect(try await read(file("hunter2\n")) == "hunter2")
    #expect(try await read(file("two\nlines\n\n")) == "two\nlines\n")
    #expect(try await read(.credential("secret")) == "two\nlines\n")
  }

  @Test("A descriptor yields a line for each read, and none after the last")
  func descriptorYieldsLines() async throws {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data("one\ntwo".utf8))
    try pipe.fileHandleForWriting.close()
    let reference = SecretReference.descriptor(pipe.fileHandleForReading.fileDescriptor)
    #expect(try await read(reference) == "one")
    #expect(try await read(reference) == "two")
    await #expect(throws: SecretReader.Unreadable.self) { try await read(reference) }
  }

  @Test("Many secrets are read at once, and a read that blocks delays none of them")
  func manySecretsAreReadAtOnce() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let reader = reader
    let pipe = Pipe()
    async let last = reader.read(.descriptor(pipe.fileHandleForReading.fileDescriptor)).withString { $0 }
    let references = try (1...32).map { try file("value \($0)", named: "\($0)") }
    try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (index, reference) in references.enumerated() {
        group.addTask { (index, try await reader.read(reference).withString { $0 }) }
      }
      for try await (index, value) in group { #expect(value == "value \(index + 1)") }
    }
    try pipe.fileHandleForWriting.write(contentsOf: Data("at last\n".utf8))
    #expect(try await last == "at last")
  }

  @Test("A check finds what reading would: a device, a pipe, a directory, and a file that is too long")
  func checkFindsWhatReadingWould() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let good = try file("hunter2\n")
    try reader.check(good)
    try reader.check(.credential("secret"))
    let pipe = directory.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let long = try file(String(repeating: "x", count: 1 << 17), named: "long")
    for reference in [.file("/dev/zero"), .file("/dev/null"), .file(pipe), .file(directory.path), long, .credential("none")] {
      let found = #expect(throws: SecretReader.Unreadable.self) { try reader.check(reference) }
      let read = await #expect(throws: SecretReader.Unreadable.self) { try await reader.read(reference) }
      #expect(found == read)
    }
  }

  @Test("What cannot be read is named in the reason, without its value")
  func unreadableSecretsNameTheirPlace() async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let long = try file(String(repeating: "x", count: 1 << 17))
    for reference in [long, .file("/nonexistent"), .file("/"), .credential("none"), .descriptor(9_999)] {
      let error = await #expect(throws: SecretReader.Unreadable.self) { try await reader.read(reference) }
      #expect(error?.reason.contains("xxx") == false)
    }
  }
}
