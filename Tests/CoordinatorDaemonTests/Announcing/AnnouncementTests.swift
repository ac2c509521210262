import CoordinatorBus
import CoordinatorJournal
import CoordinatorKit
import DBus
import Platform
import Testing

@testable import CoordinatorDaemon

@Suite("The announcement of a publication", .timeLimit(.minutes(5)))
struct AnnouncementTests {
  private static let root = CoordinatorPath(root: "notebook_1")
  private static let renderers = [":1.1": RendererCapabilities(kind: "terminal"), ":1.2": RendererCapabilities(kind: "web")]

  /// Plays a flow, and computes the messages to the bus for its start and for each call.
  ///
  /// - Parameters:
  ///   - calls: the calls, made by the terminal.
  ///   - renderers: the attached renderers.
  /// - Returns: the announcements, in order.
  /// - Throws: an error if the flow cannot be registered.
  private func announcements(
    _ calls: TreeCall..., to renderers: [String: RendererCapabilities] = Self.renderers
  ) async throws -> [Announcement] {
    let recorder = PublicationRecorder()
    let tree = FlowTree(
      root: "notebook_1", environment: FlowTree.Environment(catalogue: try .old(), observer: recorder, now: { 0 }))
    await withCheckedContinuation { continuation in
      tree.start(flow: "notebook", input: [:]) { _ in continuation.resume() }
    }
    for call in calls {
      await withCheckedContinuation { continuation in
        tree.post(call, caller: Caller(name: ":1.1")) { _ in continuation.resume() }
      }
    }
    var before: TreeState?
    return recorder.publications.map { publication in
      defer { before = publication.state }
      return Announcement(publication, before: before, flow: "notebook", renderers: renderers)
    }
  }

  private static func event(_ name: String, on screen: UInt64) -> TreeCall {
    .delegate(root, screen: ScreenID(screen), event: name, payload: [:], seen: nil)
  }

  /// Returns the names of signals, and the changes of objects and properties, in order.
  private func summary(_ messages: [BusMessage]) -> [String] {
    messages.map { message in
      switch message {
      case .presented: "Presented"
      case .signal(_, _, let member, _): member
      case .added(let path): "+\(path.elements.last ?? "")"
      case .removed(let path, _): "-\(path.elements.last ?? "")"
      case .changed(let name, _, _): "\(name)="
      }
    }
  }

  @Test("A start adds the objects, presents the first screen, and changes the number of flows, in this order")
  func startIsAnnouncedInOrder() async throws {
    let start = try #require(try await announcements().first)
    #expect(summary(start.beginning) == ["+notebook_1", "+router", "FlowStarted"])
    #expect(summary(start.screens) == ["Presented", "Settled"])
    #expect(summary(start.ending) == ["ActiveFlows="])
  }

  @Test("Updated has the keys that changed, and no others")
  func updateHasOnlyChangedKeys() async throws {
    let update = try await announcements(Self.event("note", on: 1))[1]
    #expect(summary(update.screens) == ["Answered", "Updated", "Settled"])
    let body = try #require(update.screens[1].body)
    #expect(body[2].vardict == ["title": .string("Notes: 1")])
    #expect(body[3] == .strings([]))
    #expect(update.beginning.isEmpty)
    #expect(update.ending.isEmpty)
  }

  @Test("Answered names the renderer that answered, and is left out if no other renderer is attached")
  func answerIsAnnouncedToOthers() async throws {
    let answered = try await announcements(Self.event("note", on: 1))[1]
    guard case .signal(_, _, "Answered", let body) = answered.screens[0] else {
      Issue.record("\(answered.screens[0])")
      return
    }
    #expect(body == [.uint64(2), .uint64(1), .string("note"), .string("terminal"), .string(":1.1")])
    let alone = try await announcements(
      Self.event("note", on: 1), to: [":1.1": RendererCapabilities(kind: "terminal")])[1]
    #expect(summary(alone.screens) == ["Updated", "Settled"])
  }

  @Test("Going back dismisses the screen, and says that it settled on the one below")
  func backIsAnnounced() async throws {
    let all = try await announcements(Self.event("turn", on: 1), .back(ScreenID(2)))
    #expect(summary(all[1].screens) == ["Answered", "Presented", "Settled"])
    #expect(summary(all[2].screens) == ["Answered", "Dismissed", "Settled"])
    #expect(all[2].screens[2].body == [.uint64(3), .uint64(1)])
  }

  @Test("The end of a flow is announced last, after its objects are gone")
  func endIsAnnouncedLast() async throws {
    let end = try #require(try await announcements(.dismiss(Self.root, animated: false)).last)
    #expect(summary(end.screens) == ["Dismissed", "Settled"])
    #expect(summary(end.ending) == ["ActiveFlows=", "-notebook_1", "-router", "FlowEnded"])
  }

  // MARK: Held trees

  private func held(_ reason: String, children: Int) -> HeldRoot {
    var outline = TreeOutline(root: Self.root)
    outline.coordinators = (0..<children).map { number in
      let path = number == 0 ? Self.root : Self.root.child("page_\(number)")
      return TreeOutline.Coordinator(path: path, flow: "notebook", startedAt: 0)
    }
    let stored = StoredRoot(
      name: "notebook_1", sequence: 1, lastNumber: 1, flow: "notebook",
      digest: StartRequest.digest(flow: "notebook", input: [:]), hasToken: false)
    return HeldRoot(stored, outline, reason: reason)
  }

  @Test("The end of a held tree is announced newest child first, and its router announces no screen")
  func endOfHeldTreeIsAnnounced() {
    #expect(
      summary(Announcement.end(ofHeld: held("its flow is gone", children: 3))) == [
        "ActiveFlows=", "ChildEnded", "ChildEnded", "-page_2", "-page_1", "-notebook_1", "-router", "FlowEnded",
      ])
  }

  @Test("A tree that is held for another reason changes the property Held of each coordinator, and new ones are added")
  func otherReasonIsAnnounced() {
    let before = held("it cannot be read", children: 1)
    let after = HostedRoot.held(held("its flow is gone", children: 2))
    #expect(
      summary(Announcement.difference(between: before, and: after)) == ["+page_1", "Held=", "Children="])
    #expect(
      summary(Announcement.difference(between: held("same", children: 2), and: .held(held("same", children: 2)))).isEmpty)
  }
}

/// Records the publications of a tree.
private final class PublicationRecorder: TreeObserver {
  private let recorded = Lock<[Publication]>([])

  var publications: [Publication] { recorded.withLock(\.self) }

  func publish(_ publication: Publication) async { recorded.withLock { $0.append(publication) } }

  func report(_ progress: Progress, on screen: ScreenID, of root: CoordinatorPath) {}
}

extension BusMessage {
  /// The arguments of a signal; nil for other messages.
  fileprivate var body: [Value]? { if case .signal(_, _, _, let body) = self { body } else { nil } }
}
