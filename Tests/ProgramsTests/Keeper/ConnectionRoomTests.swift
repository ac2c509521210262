import Testing

@testable import CoordinatorKeeper

@Suite(.timeLimit(.minutes(1))) struct ConnectionRoomTests {
  @Test(arguments: [64, 256, 1_024, 1 << 20])
  func `However many of one kind there are, the others get in, and no descriptor is missing`(descriptors: Int) {
    for greedy in ConnectionRoom.Kind.allCases {
      var room = ConnectionRoom(descriptors: descriptors)
      var count = 0
      while room.has(greedy) {
        room.take(greedy)
        count += 1
      }
      #expect(count <= max(descriptors - 112, 32))
      #expect(ConnectionRoom.Kind.allCases.allSatisfy { $0 == greedy || room.has($0) })
      room.giveBack(greedy)
      #expect(room.has(greedy))
    }
  }

  @Test func `With the usual number of descriptors, 256 shims ask at a time`() {
    var room = ConnectionRoom(descriptors: 1_024)
    for _ in 0..<256 { room.take(.shim) }
    #expect(!room.has(.shim))
  }
}
