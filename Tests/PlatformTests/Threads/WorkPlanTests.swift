import Glibc
import Testing

@testable import Platform

/// A plan for named jobs, with a clock that only the test moves.
private final class Shop {
  private var plan = WorkPlan<String>(limits: .init(usual: 2, most: 4, perLane: 2, patience: .milliseconds(100)))
  private let start = SuspendingClock.now

  /// The next action of a thread, and the orders that come with it.
  struct Next: Equatable {
    var job: String
    var orders = WorkPlan<String>.Orders()
  }

  var threads: Int { plan.threads }

  func add(_ job: String, _ lane: UInt64, threads: Int? = nil, at milliseconds: Int = 0) -> WorkPlan<String>.Orders {
    plan.add(job, to: .init(number: lane, threads: threads), now: start + .milliseconds(milliseconds))
  }

  @discardableResult
  func next(_ thread: pid_t, at milliseconds: Int = 0) -> Next {
    let (step, orders) = plan.next(on: thread, now: start + .milliseconds(milliseconds))
    return switch step {
    case .run(let job): Next(job: job, orders: orders)
    case .wait: Next(job: "wait", orders: orders)
    case .end: Next(job: "end", orders: orders)
    }
  }

  func look(at milliseconds: Int) -> WorkPlan<String>.Orders { plan.look(now: start + .milliseconds(milliseconds)) }
  func endIdle() -> Bool { plan.endIdle() }
  func couldNotStart() { plan.couldNotStart() }
  func isStranded(_ lane: UInt64) -> Bool { plan.isStranded(.init(number: lane)) }
}

@Suite("Work pool plans", .timeLimit(.minutes(5)))
struct WorkPlanTests {
  private let shop = Shop()

  /// Runs a job that does not return, on the thread with the lane's number.
  private func run(_ job: String, _ lane: UInt64, at milliseconds: Int = 0) {
    _ = shop.add(job, lane, at: milliseconds)
    #expect(shop.next(pid_t(lane), at: milliseconds).job == job)
  }

  @Test("A job starts a thread up to the usual number, and an idle thread waits, is woken, and may end")
  func threadsStartUpToUsualNumber() {
    #expect(shop.add("a", 1) == .init(starts: true))
    // The thread that is starting asks for a job again.
    #expect(shop.add("b", 2) == .init())
    #expect(shop.next(1) == .init(job: "a", orders: .init(starts: true)))
    #expect(shop.next(2) == .init(job: "b"))
    #expect(shop.threads == 2)
    #expect(shop.next(1) == .init(job: "wait"))
    #expect(shop.add("c", 3) == .init(wakes: true))
    // The thread is being woken, so it must not end.
    #expect(!shop.endIdle())
    #expect(shop.next(1) == .init(job: "c"))
    #expect(shop.next(1) == .init(job: "wait"))
    #expect(shop.endIdle())
    #expect(shop.threads == 1)
  }

  @Test("A long-running job is stuck if others wait: its thread is replaced, and ends when the job returns")
  func stuckThreadIsReplaced() {
    run("a", 1)
    run("b", 2)
    #expect(shop.add("c", 3, at: 30) == .init(lookAfter: .milliseconds(70)))
    // A look is already scheduled.
    #expect(shop.add("d", 4, at: 40) == .init())
    let orders = shop.look(at: 100)
    #expect(orders.starts)
    #expect(Set(orders.stuck) == [1, 2])
    #expect(shop.next(3, at: 101) == .init(job: "c", orders: .init(starts: true)))
    #expect(shop.next(4, at: 102) == .init(job: "d"))
    #expect(shop.threads == 4)
    #expect(shop.next(1, at: 500) == .init(job: "end"))
    #expect(shop.threads == 3)
  }

  @Test("No job is stuck while a thread is free for the waiting jobs")
  func nothingIsStuckWhileThreadsAreFree() {
    run("a", 1)
    #expect(shop.add("b", 2, at: 10_000) == .init(starts: true))
    #expect(shop.next(1, at: 10_001) == .init(job: "b"))
    #expect(shop.next(2, at: 10_001) == .init(job: "wait"))
  }

  @Test("There are never more threads than the maximum, and a waiting job runs when another one returns")
  func threadsNeverExceedMaximum() {
    for number in 1...4 { run("\(number)", UInt64(number), at: number * 1_000) }
    #expect(shop.threads == 4)
    #expect(shop.add("5", 5, at: 9_000).starts == false)
    #expect(shop.next(2, at: 9_001) == .init(job: "end", orders: .init(starts: true)))
    #expect(shop.next(5, at: 9_002) == .init(job: "5"))
  }

  @Test("A lane with no running job goes first, and the other lanes take turns")
  func idleLaneGoesFirst() {
    for number in 1...3 { _ = shop.add("a\(number)", 1) }
    _ = shop.add("b1", 2)
    _ = shop.add("b2", 2)
    #expect(shop.next(1).job == "a1")
    #expect(shop.next(2).job == "b1")
    _ = shop.add("c", 3)
    #expect(shop.next(1).job == "c")
    #expect(shop.next(1).job == "a2")
    #expect(shop.next(1).job == "b2")
    #expect(shop.next(1).job == "a3")
  }

  @Test("A lane never uses more threads than its limit, however many of its jobs wait")
  func laneNeverExceedsItsThreads() {
    for number in 1...3 { _ = shop.add("a\(number)", 1) }
    #expect(shop.next(1).job == "a1")
    #expect(shop.next(2).job == "a2")
    // No look is needed: no thread may take the third job.
    #expect(shop.look(at: 1_000) == .init())
    #expect(shop.add("b", 2, at: 1_000).starts)
    #expect(shop.next(3, at: 1_000).job == "b")
    #expect(shop.next(3, at: 1_000).job == "wait")
    #expect(shop.next(1, at: 1_001) == .init(job: "end", orders: .init(wakes: true)))
    #expect(shop.next(3, at: 1_002).job == "a3")
  }

  @Test("A lane's own limit takes precedence over the limit for each lane: a lane of one thread runs its jobs in order")
  func lanesOwnLimitTakesPrecedence() {
    for number in 1...3 { _ = shop.add("a\(number)", 1, threads: 1) }
    #expect(shop.next(1).job == "a1")
    #expect(shop.next(2).job == "wait")
    // Neither a free thread nor the time changes that.
    #expect(shop.look(at: 1_000) == .init())
    #expect(shop.next(1, at: 1_001) == .init(job: "a2"))
    #expect(shop.next(1, at: 1_002) == .init(job: "a3"))
    #expect(shop.next(1, at: 1_003) == .init(job: "wait"))
  }

  @Test("A lane's own limit may be above the limit for each lane")
  func lanesOwnLimitMayBeHigher() {
    for number in 1...4 { _ = shop.add("a\(number)", 1, threads: 3, at: number) }
    for thread in pid_t(1)...3 { #expect(shop.next(thread, at: 10).job == "a\(thread)") }
    #expect(shop.next(4, at: 10).job == "wait")
    #expect(shop.next(2, at: 20).job == "a4")
  }

  @Test("A lane at its own limit leaves the threads to the other lanes")
  func limitedLaneLeavesThreadsToOthers() {
    for number in 1...9 { _ = shop.add("a\(number)", 1, threads: 1) }
    #expect(shop.next(1).job == "a1")
    #expect(shop.add("b", 2).starts)
    #expect(shop.next(2) == .init(job: "b"))
    #expect(shop.next(2) == .init(job: "wait"))
    #expect(shop.threads == 2)
  }

  @Test("Jobs are stranded while none of the threads exists that could take them")
  func jobsAreStrandedWithoutThreads() {
    #expect(!shop.isStranded(1))
    #expect(shop.add("a", 1).starts)
    #expect(!shop.isStranded(1))
    shop.couldNotStart()
    #expect(shop.isStranded(1))
    #expect(!shop.isStranded(2))
    #expect(shop.add("b", 2).starts)
    // The thread that is starting takes both jobs.
    #expect(!shop.isStranded(1))
    #expect(shop.next(1).job == "a")
    shop.couldNotStart()
    #expect(!shop.isStranded(2))
    #expect(shop.next(1).job == "b")
  }

  @Test("If a thread could not be started, the next job tries again")
  func nextJobRetriesThreadStart() {
    #expect(shop.add("a", 1).starts)
    shop.couldNotStart()
    #expect(shop.add("b", 1).starts)
    #expect(shop.next(1).job == "a")
  }
}
