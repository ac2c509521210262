import DBus
import Testing

@Suite("Object paths", .timeLimit(.minutes(5)))
struct ObjectPathTests {
  @Test("An invalid object path is refused")
  func invalidPathIsRefused() {
    let text = "/a/"
    #expect(throws: InvalidName(text, as: .objectPath)) { try ObjectPath(text) }
  }

  @Test("An object path grows only by one valid element at a time")
  func pathGrowsByValidElements() throws {
    #expect(try ObjectPath.root.appending("a") == "/a")
    #expect(try ObjectPath("/a").appending("b_9") == "/a/b_9")
    for element in ["", "a/b", "a-b", "é", "\0", "/"] {
      #expect(throws: InvalidName(element, as: .pathElement)) { try ObjectPath.root.appending(element) }
    }
  }

  @Test("An object path has elements, and a parent unless it is the root")
  func pathHasElementsAndParent() {
    #expect(ObjectPath("/a/bc/d").elements == ["a", "bc", "d"])
    #expect(ObjectPath.root.elements.isEmpty)
    #expect(ObjectPath("/a/bc").parent == "/a")
    #expect(ObjectPath("/a").parent == .root)
    #expect(ObjectPath.root.parent == nil)
    #expect(ObjectPath.root.isRoot)
    #expect(!ObjectPath("/a").isRoot)
  }

  @Test(
    "A path is below another one at any depth, but never below itself",
    arguments: [
      ("/a/b", "/a", true), ("/a/b/c", "/a", true), ("/a", "/", true), ("/", "/", false), ("/a", "/a", false),
      ("/ab", "/a", false),
      ("/a", "/a/b", false), ("/b/a", "/a", false),
    ])
  func belowExcludesThePathItself(path: String, other: String, isBelow: Bool) throws {
    #expect(try ObjectPath(path).isBelow(ObjectPath(other)) == isBelow)
  }

  @Test("Parents come before their children when object paths are sorted")
  func parentsSortBeforeChildren() {
    let paths: [ObjectPath] = ["/b", "/a/b", "/", "/a", "/aa"]
    #expect(paths.sorted() == ["/", "/a", "/a/b", "/aa", "/b"])
  }
}
