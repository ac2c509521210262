import CoordinatorKit
import TestBus
import Testing

@testable import CoordinatorTestKit

@Suite("FlowExplorer: problems in a state", .timeLimit(.minutes(5)))
struct StateTests {
  @Test("Actions or items with the same ID are found, and so is an action named 'select' on a list")
  func duplicateIDsAreFound() async throws {
    let hall = try await Maze.explorer(["hall": .init(actions: [("enter", .take), ("enter", .take)])]).walk()
    #expect(
      hall.texts(screens: []) == [
        "does not start: error: a screen whose 'actions.id' is invalid: 'enter' occurs twice, so that nobody can tell which was meant"
      ])
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("enter", .to("attic")), ("climb", .to("loft"))]),
      "attic": .init(actions: [("select", .take)], items: ["lamp", "chair"], chosen: .take),
      "loft": .init(items: ["lamp", "chair", "lamp"], chosen: .take),
    ]).walk()
    #expect(
      walk.texts(screens: ["hall", "attic"]) == [
        "hall ▸ climb: maze fails with \"error\": a screen whose 'items.id' is invalid: 'lamp' occurs twice, so that nobody can tell "
          + "which was meant",
        "hall ▸ enter ▸ attic: attic is a list, and has an action with the id \"select\"",
      ])
  }

  @Test("A screen without any possible action is a dead end, even if it only pretends to be busy")
  func deadEndScreenIsFound() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("fall", .to("pit")), ("wait", .to("queue"))]), "pit": .init(items: [], back: .ignore),
      "queue": .init(back: .ignore, progress: Progress()),
    ]).walk()
    #expect(
      walk.texts(screens: ["hall", "pit", "queue"]) == [
        "hall ▸ fall ▸ pit: pit is a dead end: it offers nothing, and no work is running",
        "hall ▸ wait ▸ queue (busy): queue is a dead end: it offers nothing, and no work is running",
      ])
  }

  @Test("A flow that shows nothing and does nothing is a dead end")
  func flowThatShowsNothingIsDeadEnd() async throws {
    var catalogue = FlowCatalogue()
    try catalogue.add { Host() }
    try catalogue.add { Absent() }
    let walk = try await FlowExplorer("host", in: catalogue).walk()
    #expect(walk.texts(screens: []) == ["(nothing): a dead end: no screen is shown, and no work is running"])
  }

  @Test("A screen that an outside event can leave is no dead end, and every such event must be handled")
  func outsideEventPreventsDeadEnd() async throws {
    let walk = try await Maze.explorer(
      ["hall": .init(back: .ignore), "attic": .init()], outside: ["lift": .to("attic"), "bell": .ignore]
    ).walk()
    #expect(walk.texts(screens: ["hall", "attic"]) == ["no coordinator handles \"bell\""])
  }

  @Test("A coordinator that fails on an action or on Back is found, unless that failure is expected")
  func failingCoordinatorIsFound() async throws {
    let walk = try await Maze.explorer([
      "hall": .init(actions: [("enter", .to("attic"))]), "attic": .init(actions: [("step", .fail)], back: .refuse),
    ]).walk()
    #expect(
      walk.texts(screens: ["hall", "attic"]) == [
        "hall ▸ enter ▸ attic ▸ step: maze fails with \"trap\": the floor gives way"
      ])
    try walk.expect(screens: ["hall", "attic"], failing: ["trap"])
    let problems = walk.problems(screens: ["hall", "attic"], failing: ["trap", "other"])
    #expect(problems.map(\.kind) == [.neverComesUp("other", in: .failing)])
    let back = try await Maze.explorer(["hall": .init(back: .fail)]).walk()
    #expect(back.texts(screens: ["hall"]) == ["hall ▸ Back: maze fails with \"trap\": there is no way back"])
  }

  @Test("A child that fails while it starts is found")
  func childFailingAtStartIsFound() async throws {
    let walk = try await Maze.explorer(["hall": .init(actions: [("enter", .to("nowhere"))])]).walk()
    #expect(
      walk.texts(screens: ["hall"]) == [
        "hall ▸ enter: maze fails with \"no-room\": there is no room nowhere"
      ])
  }

  @Test("A flow that clients cannot cancel is found, unless that is expected")
  func undismissableFlowIsFound() async throws {
    let walk = try await Maze.explorer(["hall": .init()], isFree: false).walk()
    #expect(
      walk.texts(screens: ["hall"]) == [
        "hall: the flow cannot be cancelled: maze cannot be dismissed now (if that is meant: `refusingCancel: [\"hall\"]`)"
      ])
    try walk.expect(screens: ["hall"], refusingCancel: ["hall"])
  }

  @Test("Back that is offered but answered with anything except a refusal is found")
  func brokenBackIsFound() async throws {
    let walk = try await Maze.explorer(["hall": .init(back: .complain)]).walk()
    #expect(walk.texts(screens: ["hall"]) == ["hall: Back is offered, but refused: shoe is missing"])
  }

  @Test("Back that is not offered must be answered with notDismissable and nothing else")
  func unofferedBackMustBeNotDismissable() {
    let place = FlowMove.Place(flow: "maze", screen: "hall", name: "Back")
    let back = FlowMove(kind: .back, place: place, text: "Back")
    #expect(back.fault(in: .refused(.refused(.notDismissable("stay"))), canGoBack: false) == nil)
    #expect(back.fault(in: .taken, canGoBack: false) == .backIsTaken(screen: "hall"))
    #expect(back.fault(in: .refused(.refused(.denied("no"))), canGoBack: false) == .backIsTaken(screen: "hall"))
    #expect(back.fault(in: .refused(.refused(.denied("no"))), canGoBack: true) == nil)
  }

  @Test("What remains of a flow that has ended is reported")
  func remainsOfEndedFlowAreReported() async throws {
    let flow = try await TestFlow.start { Maze(["hall": .init()]) }
    #expect(try await flow.state.rest(runningWork: 1) == ["coordinators", "screens", "work"])
    try await flow.cancel()
    #expect(try await flow.state.rest(runningWork: 0).isEmpty)
  }

  @Test("A flow that keeps knowledge outside its state is found, since a restart makes it forget")
  func stateOutsideStateIsFound() async throws {
    let walk = try await FlowExplorer { Porter() }.walk()
    #expect(
      walk.texts(screens: ["door", "room"]) == [
        "door: \"enter\" is always refused: it is locked", "the screen room is unreachable",
      ])
  }

  @Test("A flow that behaves differently each time is found")
  func unrepeatableFlowIsFound() async throws {
    var catalogue = FlowCatalogue()
    let mazes = Observed(0)
    // Each has another item in its hall.
    try catalogue.add {
      let number = mazes.update { number in
        number += 1
        return number
      }
      return Maze(["hall": .init(items: ["\(number)"], chosen: .take)])
    }
    let walk = try await FlowExplorer("maze", in: catalogue).walk()
    #expect(
      walk.problems(screens: ["hall"]).map(\.kind) == [.doesNotSurviveRestart("hall shows something else"), .isNotRepeatable])
  }
}

/// A flow that stores outside of its state whether its door is open.
private actor Porter: Coordinator {
  static let flow = FlowDescription("forgetful", title: "Forgetful")
  enum Route: Codable { case door, room }
  let context = Context()
  // A `var` would be refused when the flow is registered.
  private let isOpen = Observed(false)

  func start() { router.present(.door) }

  func screen(for route: Route) -> Screen {
    switch route {
    case .door: .message("door", title: "Door", actions: [Action("unlock", "Unlock"), Action("enter", "Enter")])
    case .room: .message("room", title: "Room")
    }
  }

  func receive(_ event: Event, on route: Route) throws {
    if event.name == "unlock" { return isOpen.update { $0 = true } }
    guard isOpen.value else { throw Refusal.denied("it is locked") }
    router.present(.room)
  }
}

/// A flow whose only purpose is a child that never shows anything.
private actor Host: Coordinator {
  static let flow = FlowDescription("host", title: "Host")
  let context = Context()
  func start() throws { try startChild(Absent.self) }
}

private actor Absent: Coordinator {
  static let flow = FlowDescription("absent", title: "Absent")
  let context = Context()
  func start() {}
}
