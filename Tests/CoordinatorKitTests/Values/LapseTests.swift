import Testing

@testable import CoordinatorKit

@Suite("Durations", .timeLimit(.minutes(1)))
struct LapseTests {
  private static let hour: UInt64 = 3_600_000_000
  private static let year: UInt64 = 8_760 * hour
  private static let wall: UInt64 = 1_800_000_000_000_000
  /// When the durations begin.
  private static let begun = Moment(wall: wall, elapsed: ElapsedTime(boot: 1, microseconds: 100))
  private let lapse = Lapse(hour, from: begun.elapsed)

  private func isOver(_ lapse: Lapse, _ elapsed: UInt64, boot: UInt64 = 1) -> Bool {
    lapse.isOver(at: ElapsedTime(boot: boot, microseconds: elapsed))
  }

  /// Returns the rest of a duration that began before another start of the machine, according to the wall clock.
  private func left(at wall: UInt64, _ lapse: Lapse?, of known: UInt64 = 0) -> UInt64 {
    let start = Moment(wall: wall, elapsed: ElapsedTime(boot: 2, microseconds: 5))
    let continued = Lapse(continuing: lapse, of: known, due: Self.wall + Self.hour, since: MachineStart(start))
    #expect(continued.boot == 2)
    return continued.end - 5
  }

  @Test("A duration is over when it has passed, and not at any time of another start of the machine")
  func end() {
    #expect(!isOver(lapse, 99 + Self.hour))
    #expect(isOver(lapse, 100 + Self.hour))
    #expect(!isOver(lapse, .max, boot: 2))
  }

  @Test("In the same start of the machine, the wall clock does not count")
  func sameStart() {
    for wall in [0, Self.wall - Self.hour, Self.wall + 30 * Self.year] {
      let start = Moment(wall: wall, elapsed: ElapsedTime(boot: 1, microseconds: 200))
      #expect(Lapse(continuing: lapse, of: 0, due: Self.wall + Self.hour, since: MachineStart(start)) == lapse)
    }
  }

  @Test("After another start, the wall clock determines the rest, which never exceeds the duration")
  func otherStart() {
    #expect(left(at: Self.wall + Self.hour / 4, lapse) == Self.hour * 3 / 4)
    #expect(left(at: Self.wall + Self.year, lapse) == 0)
    #expect(left(at: Self.wall - Self.hour * 2, lapse) == Self.hour)
    #expect(left(at: 0, lapse) == Self.hour)
  }

  @Test("Over several starts, a duration takes no longer than its length while the machine runs, whatever the clock shows")
  func severalStarts() {
    let quarter = Self.hour / 4
    // Since each start, the machine has been seen for a quarter of an hour.
    let earlier: [UInt64: UInt64] = [
      1: 0, 2: 100 + quarter, 3: 100 + 2 * quarter, 4: 100 + 3 * quarter, 5: 100 + 4 * quarter,
    ]
    func continued(_ lapse: Lapse, boot: UInt64, at wall: UInt64) -> Lapse {
      let start = MachineStart(Moment(wall: wall, elapsed: ElapsedTime(boot: boot, microseconds: 5)), earlier: earlier)
      return Lapse(continuing: lapse, of: 0, due: Self.wall + Self.hour, since: start)
    }
    var known = lapse
    for (boot, most) in [(2, 3 * quarter - 5), (3, 2 * quarter - 5), (4, quarter - 5), (5, 0)] as [(UInt64, UInt64)] {
      // As it was stored first, and as it was stored again since the start before.
      for lapse in [lapse, known] {
        #expect(continued(lapse, boot: boot, at: 0).end == 5 + most)
        #expect(continued(lapse, boot: boot, at: Self.wall - Self.year).end == 5 + most)
        #expect(continued(lapse, boot: boot, at: Self.wall + Self.hour * 9 / 10).end == 5 + min(most, Self.hour / 10))
        #expect(continued(lapse, boot: boot, at: Self.wall + Self.year).end == 5)
      }
      known = continued(known, boot: boot, at: 0)
    }
    let unknown = Lapse(Self.hour, from: ElapsedTime(boot: 9, microseconds: 0))
    #expect(continued(unknown, boot: 3, at: 0).end == 5 + Self.hour)
  }

  @Test("A timeout of an older version takes no longer than from the start of its flow")
  func olderVersion() {
    let old = FlowTimeout(due: Self.wall + Self.hour)
    func end(_ wall: UInt64, startedAt: UInt64 = Self.wall) -> UInt64? {
      let start = MachineStart(Moment(wall: wall, elapsed: ElapsedTime(boot: 2, microseconds: 0)), earlier: [1: 0, 2: Self.year])
      return old.continued(from: startedAt, since: start).lapse?.end
    }
    #expect(end(Self.wall + Self.hour / 2) == Self.hour / 2)
    #expect(end(Self.wall - Self.year) == Self.hour)
    #expect(end(Self.wall, startedAt: .max) == 0)
  }

  @Test("Durations that are too long for a store are the longest that it has")
  func longest() {
    let longest = UInt64(Int64.max)
    #expect(Lapse(.max, from: Self.begun.elapsed).end == longest)
    #expect(FlowTimeout(.max, from: Self.begun).due == longest)
    #expect(left(at: 0, Lapse(.max, from: Self.begun.elapsed)) == Self.wall + Self.hour)
    #expect(Duration.seconds(Int64.max).storableMicroseconds == longest)
    #expect(Duration.seconds(-1).storableMicroseconds == 0)
  }

  @Test("Timers of both clocks go off in the order of their times, and not before their own")
  func timers() {
    func timer(_ name: String, _ due: UInt64, _ lapse: Lapse? = nil) -> TimerRecord {
      TimerRecord(timer: name, due: Timestamp(microseconds: due), lapse: lapse)
    }
    let duration = timer("duration", Self.wall + Self.hour, lapse)
    let time = timer("time", Self.wall + Self.hour)
    let setBack = Moment(wall: Self.wall - Self.year, elapsed: ElapsedTime(boot: 1, microseconds: 100 + Self.hour))
    #expect(duration.isDue(at: setBack) && !time.isDue(at: setBack))
    let setForth = Moment(wall: Self.wall + Self.year, elapsed: ElapsedTime(boot: 1, microseconds: 100))
    #expect(!duration.isDue(at: setForth) && time.isDue(at: setForth))
  }
}
