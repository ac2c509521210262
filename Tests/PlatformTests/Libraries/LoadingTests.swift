import CLoading
import Testing

@Suite("Libraries that are loaded when they are first used", .timeLimit(.minutes(1)))
struct LoadingTests {
  /// Loads symbols of a library. Returns the reason of a failure, and the addresses of the symbols.
  private func load(_ library: String, _ names: StaticString...) -> (problem: String?, places: [UnsafeMutableRawPointer?]) {
    var places = [UnsafeMutableRawPointer?](repeating: nil, count: names.count)
    let problem = places.withUnsafeMutableBufferPointer { places in
      let symbols = names.enumerated().map { index, name in
        cloading_symbol(
          name: UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self), place: places.baseAddress.map { $0 + index }
        )
      }
      return cloading_load(library, symbols + [cloading_symbol(name: nil, place: nil)]).map { String(cString: $0) }
    }
    return (problem, places)
  }

  @Test("Symbols of an installed library are found, also those of a library that it needs")
  func installed() {
    let (problem, places) = load("libncursesw.so.6", "wrefresh", "stdscr")
    #expect(problem == nil)
    #expect(places.allSatisfy { $0 != nil })
  }

  @Test("A library that is not installed is named by the reason")
  func missing() throws {
    let (problem, places) = load("libnobody.so.6", "wrefresh")
    #expect(try #require(problem).contains("libnobody.so.6"))
    #expect(places == [nil])
  }

  @Test("A library without one of the symbols is not used, and the reason names the symbol")
  func incomplete() throws {
    let (problem, places) = load("libncursesw.so.6", "wrefresh", "nobody_knows_me")
    #expect(try #require(problem).contains("nobody_knows_me"))
    #expect(places == [nil, nil])
  }
}
