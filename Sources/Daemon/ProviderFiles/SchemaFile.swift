import ConfigurationFiles
import CoordinatorBus
import CoordinatorKit
import DBus

/// Reads the files with JSON Schemas that provider files name.
enum SchemaFile {
  /// What is wrong with a file.
  struct Fault: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
  }

  /// Reads a schema.
  ///
  /// - Parameter path: the path of the file.
  /// - Returns: the schema.
  /// - Throws: ``Fault``.
  static func read(_ path: String) throws(Fault) -> Schema {
    let bytes: [UInt8]?
    do { bytes = try ConfigurationDisk.read(path) } catch { throw Fault(description: "cannot be read: \(error.reason)") }
    guard let bytes else { throw Fault(description: "no such file") }
    guard Self.depth(of: bytes) <= maxNesting else { throw Fault(description: "is nested too deeply") }
    let json: JSONValue
    do { json = try JSONValue(parsing: bytes) } catch { throw Fault(description: "is not JSON: \(error)") }
    do { _ = try Value(json: json) } catch { throw Fault(description: "\(error)") }
    let schema: Schema
    do { schema = try Schema(json: json) } catch { throw Fault(description: "\(error)") }
    guard schema.json.object?["type"] == .string("object") else { throw Fault(description: "must describe an object") }
    return schema
  }

  /// More than a message on the bus may have.
  private static let maxNesting = 64

  /// The number of brackets that are open at once, at most; those in strings count as well.
  private static func depth(of bytes: [UInt8]) -> Int {
    var (open, most) = (0, 0)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        open += 1
        most = max(most, open)
      case UInt8(ascii: "]"), UInt8(ascii: "}"): open -= 1
      default: break
      }
    }
    return most
  }
}
