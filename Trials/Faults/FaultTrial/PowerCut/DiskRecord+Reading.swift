import CFaultPlan

extension DiskRecord {
  /// The error for an incomplete recording.
  struct Malformed: Error {
    let offset: Int
  }

  /// Parses the file that the library in the daemon has recorded.
  ///
  /// - Parameter bytes: the whole file.
  /// - Returns: the records, oldest first.
  /// - Throws: ``Malformed``.
  static func all(in bytes: [UInt8]) throws(Malformed) -> [DiskRecord] {
    var records: [DiskRecord] = []
    var place = 0
    while place < bytes.count {
      let start = place
      guard bytes.count - place >= MemoryLayout<fault_record>.size else { throw Malformed(offset: start) }
      let head = bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: place, as: fault_record.self) }
      place += MemoryLayout<fault_record>.size
      let lengths = [head.name_length, head.second_length, head.data_length].map { Int($0) }
      guard bytes.count - place >= lengths.reduce(0, +) else { throw Malformed(offset: start) }
      let parts = lengths.map { length in
        defer { place += length }
        return bytes[place..<place + length]
      }
      guard let change = Change(head, parts) else { throw Malformed(offset: start) }
      records.append(DiskRecord(head.sequence, change))
    }
    return records
  }
}

extension DiskRecord.Change {
  fileprivate init?(_ head: fault_record, _ parts: [ArraySlice<UInt8>]) {
    let (name, second) = (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
    switch FileOperation(rawValue: head.operation) {
    case .open: self = .open(name: name, isNew: false)
    case .create: self = .open(name: name, isNew: true)
    case .write: self = .write(handle: head.handle, offset: Int(head.offset), data: Array(parts[2]))
    case .truncate: self = .truncate(handle: head.handle, size: Int(head.offset))
    case .sync: self = .sync(handle: head.handle, begin: head.begin)
    case .unlink: self = .unlink(name: name)
    case .rename: self = .rename(name: name, to: second)
    case .mkdir: self = .makeDirectory(name: name)
    case .read, .allocate, .stat, nil: return nil
    }
  }
}
