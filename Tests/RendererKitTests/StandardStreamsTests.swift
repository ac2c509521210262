import Glibc
import Testing

@testable import RendererKit

@Suite("Reading files", .timeLimit(.minutes(5)))
struct StandardStreamsTests {
  /// Returns the text read from a file with the given bytes.
  private func text(of bytes: [UInt8]) throws -> String? {
    var template = Array("/tmp/streams-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    try #require(descriptor >= 0)
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    #expect(bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } == bytes.count)
    close(descriptor)
    return StandardStreams.readAll(path)
  }

  @Test("A file is read without its last line break")
  func fileIsRead() throws {
    #expect(try text(of: Array("José\n\n".utf8)) == "José\n")
  }

  @Test("A file that is not UTF-8 is not read, rather than with other characters in it")
  func otherEncodingsAreNotRead() throws {
    #expect(try text(of: Array("Jos".utf8) + [0xE9, 0x0A]) == nil)
  }
}
