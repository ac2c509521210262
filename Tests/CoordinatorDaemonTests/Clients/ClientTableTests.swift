import DBus
import Testing

@testable import CoordinatorDaemon

@Suite("The table of clients", .timeLimit(.minutes(5)))
struct ClientTableTests {
  private let box = Box(ClientTable<Int>())
  private let limits = {
    var limits = DaemonLimits()
    (limits.maxRenderers, limits.maxAttachments) = (2, 3)
    return limits
  }()

  @Test("A client is watched once, however often it is tracked, and until nothing binds it")
  func clientIsWatchedOnce() {
    box.value.track("a", 1)
    box.value.track("a", 2)
    box.value.await("pets_1", by: "a")
    #expect(box.value.forgetIfIdle("a") == nil)
    box.value.stopAwaiting("pets_1", by: "a")
    #expect(box.value.forgetIfIdle("a") == 1)
    #expect(!box.value.isTracked("a"))
    #expect(box.value.forgetIfIdle("a") == nil)
  }

  @Test("A renderer counts once, on however many trees it is")
  func rendererCountsOnce() {
    box.value.track("a", 1)
    #expect(box.value.attach("a", to: "pets_1") == true)
    #expect(box.value.attach("a", to: "pets_1") == false)
    #expect(box.value.attach("a", to: "pets_2") == false)
    #expect(box.value.rendererCount == 1)
    #expect(box.value.attachmentCount == 2)
    #expect(box.value.detach("a", from: "pets_1") == (true, false))
    #expect(box.value.detach("a", from: "pets_1") == (false, false))
    let released = box.value.release(["a"], from: "pets_2", keepingWatchIf: { _ in false })
    #expect(released.isFewer)
    #expect(released.watches == [1])
    #expect(box.value.rendererCount == 0)
    #expect(box.value.attachmentCount == 0)
  }

  @Test("A client that is not known is neither attached nor bound")
  func unknownClientIsNotBound() {
    #expect(box.value.attach("a", to: "pets_1") == false)
    #expect(box.value.bind("pets_1", to: "a") == false)
    #expect(box.value.hasLeft("a") == .init())
    #expect(box.value.rendererCount == 0)
  }

  @Test("Renderers beyond the limit are refused, and so are attachments, but not a tree that a renderer is on already")
  func limitsAreKept() {
    for sender in ["a", "b", "c"] { box.value.track(sender, 0) }
    _ = box.value.attach("a", to: "pets_1")
    _ = box.value.attach("b", to: "pets_1")
    #expect(box.value.refusal(toAttach: "c", to: "pets_1", limits) == .limitsExceeded("there are already 2 renderers"))
    #expect(box.value.refusal(toAttach: "a", to: "pets_2", limits) == nil)
    _ = box.value.attach("a", to: "pets_2")
    let tooMany = DBusError.limitsExceeded("renderers already have 3 attachments to flow trees")
    #expect(box.value.refusal(toAttach: "b", to: "pets_2", limits) == tooMany)
    #expect(box.value.refusal(toAttach: "b", to: "pets_1", limits) == nil)
  }

  @Test("A client that leaves hands back all that it was bound to, and frees its places")
  func departureHandsEverythingBack() {
    box.value.track("a", 1)
    _ = box.value.attach("a", to: "pets_1")
    #expect(box.value.bind("pets_2", to: "a") == true)
    box.value.await("pets_3", by: "a")
    #expect(box.value.hasLeft("a") == .init(attached: ["pets_1"], flows: ["pets_2"], awaited: ["pets_3"]))
    #expect(box.value.rendererCount == 0)
    #expect(box.value.attachmentCount == 0)
    #expect(!box.value.isTracked("a"))
  }

  @Test("When a root ends, its clients are no longer watched, unless another root or one of their flows needs them")
  func neededClientsStayWatched() {
    for (sender, watch) in [("attached", 1), ("elsewhere", 2), ("owner", 3)] { box.value.track(sender, watch) }
    _ = box.value.attach("attached", to: "pets_1")
    _ = box.value.bind("pets_1", to: "elsewhere")
    box.value.await("pets_2", by: "elsewhere")
    let released = box.value.release(["attached", "elsewhere", "owner"], from: "pets_1", keepingWatchIf: { $0 == "owner" })
    #expect(released.isFewer)
    #expect(released.watches == [1])
    #expect(box.value.isTracked("elsewhere") && box.value.isTracked("owner"))
  }
}
