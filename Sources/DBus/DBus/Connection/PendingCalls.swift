/// Receives the result of a call, on the connection's executor.
typealias CallCompletion = @Sendable (isolated Connection, Result<[Value], any Error>) -> Void

/// The calls that wait for a reply, by the serial number of their message.
struct PendingCalls {
  private struct Entry {
    let id: UInt64
    let destination: String
    let timer: ScheduledTimer?
    let completion: CallCompletion
  }

  private var entries: [UInt32: Entry] = [:]
  private var serials: [UInt64: UInt32] = [:]

  var count: Int { entries.count }

  /// Adds a call whose message has just been handed to libdbus. Its reply cannot have been dispatched yet, because that
  /// happens in a later job.
  mutating func add(serial: UInt32, id: UInt64, destination: String, timer: ScheduledTimer?, completion: @escaping CallCompletion)
  {
    entries[serial] = Entry(id: id, destination: destination, timer: timer, completion: completion)
    serials[id] = serial
  }

  private mutating func remove(serial: UInt32) -> Entry? {
    guard let entry = entries.removeValue(forKey: serial) else { return nil }
    serials[entry.id] = nil
    entry.timer?.cancel()
    return entry
  }

  /// Removes a call that is abandoned; a later reply to it is ignored.
  mutating func remove(id: UInt64) -> CallCompletion? {
    serials[id].flatMap { remove(serial: $0) }?.completion
  }

  /// Removes the call that a reply answers. Returns nil if there is none, or if the reply does not come from the
  /// connection that was called.
  mutating func remove(serial: UInt32, answeredBy sender: String) -> CallCompletion? {
    guard let entry = entries[serial] else { return nil }
    // Only the bus knows the owner of a well-known name, but a unique name can be compared. The bus itself answers on behalf of
    // connections that have left.
    let isGenuine =
      sender == entry.destination || sender == BusDriver.name || entry.destination.utf8.first != UInt8(ascii: ":")
    return isGenuine ? remove(serial: serial)?.completion : nil
  }

  /// Removes all calls and returns their completions in the order in which the calls were made.
  mutating func removeAll() -> [CallCompletion] {
    defer { (entries, serials) = ([:], [:]) }
    return entries.values.sorted { $0.id < $1.id }.map { entry in
      entry.timer?.cancel()
      return entry.completion
    }
  }
}
