import Testing

@testable import CoordinatorWeb

@Suite("Watches that requests share", .timeLimit(.minutes(5)))
struct SharedWatchesTests {
  private static let never = Task<Void, Never> {}

  @Test("Those who use a key at the same time share a watch, which stays until it is removed after the last use")
  func watchIsShared() {
    var watches = SharedWatches<String, String>()
    let first = watches.retain("a") { "1" }
    let second = watches.retain("a") { "2" }
    #expect(first.number == second.number && second.watch == "1")
    let isUnused = [watches.release("a") { Self.never }, watches.release("a") { Self.never }]
    #expect(isUnused == [false, true])
    #expect(watches.unused == "a")
    let kept = watches.retain("a") { "3" }.watch
    let removed = watches.remove("a")
    #expect(kept == "1" && removed == nil)
    _ = watches.release("a") { Self.never }
    let last = watches.remove("a")
    #expect(last == "1" && watches.count == 0)
  }

  @Test("A request that has waited for a watch that could not begin does not take away the next one")
  func nextWatchIsNotForgotten() {
    var watches = SharedWatches<String, String>()
    let failed = [watches.retain("a") { "1" }.number, watches.retain("a") { "1" }.number]
    watches.forget("a", failed[0])
    let next = watches.retain("a") { "2" }
    watches.forget("a", failed[1])
    #expect(watches["a"] == "2")
    #expect(!failed.contains(next.number))
  }

  @Test("A watch that is over is replaced once, and its users are those of the new one")
  func watchIsReplacedOnce() {
    var watches = SharedWatches<String, String>()
    let old = watches.retain("a") { "1" }
    _ = watches.retain("a") { "1" }
    let over = [watches.replace("a", old.number) { "2" }, watches.replace("a", old.number) { "3" }]
    #expect(over == ["1", nil])
    #expect(watches["a"] == "2")
    let isUnused = [watches.release("a") { Self.never }, watches.release("a") { Self.never }]
    #expect(isUnused == [false, true])
  }
}
