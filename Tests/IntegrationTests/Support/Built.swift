import Foundation
import Glibc
import TestBus

/// The paths of files that the tests run.
enum Built {
  /// Returns the path of a program of the package. The tools are called by their names, like the installed ones.
  static func executable(_ name: String) throws -> String { try BuiltProgram.path(name) }

  /// Returns the directory of the package's executables.
  static func directory() throws -> String { try BuiltProgram.directory().path }

  /// Returns the path of a file of this checkout, given from the top.
  static func checkedOut(_ path: String) -> String { BuiltProgram.checkout.appending(path: path).path }

  /// Returns the path of a client in another language.
  static func client(_ name: String) -> String { checkedOut("Tests/IntegrationTests/Clients/\(name)") }

  /// Whether the build includes the Thread Sanitizer or the Address Sanitizer.
  static let isSanitized = ["__tsan_init", "__asan_init"].contains { (symbol: String) in
    dlsym(dlopen(nil, RTLD_NOW), symbol) != nil
  }
}
