/// A large answer as the body of a message, which can be sent to any number of callers.
struct MadeAnswer: Sendable {
  /// The types of its values.
  let signature: String
  /// The marshalled values.
  let body: [UInt8]

  /// The size in bytes, without the header.
  var size: Int { body.count }

  /// Marshals the results of a method.
  ///
  /// - Parameters:
  ///   - values: the results.
  ///   - types: the types that they must have; nil for any.
  ///   - limits: the limits for outgoing messages.
  /// - Throws: `LimitsExceeded`, or the error that says what is wrong with the values.
  init(_ values: [Value], types: String?, limits: MessageLimits) throws(DBusError) {
    if let types { try values.check(areOf: types) }
    let size = try OutgoingMessage.reply(values, to: 1, of: "").check(limits)
    do {
      signature = try Signature(of: values).string
    } catch {
      throw .failed(error.description)
    }
    var buffer = WireBuffer(capacity: size)
    for value in values { buffer.append(value) }
    body = Array(buffer.bytes)
  }
}

extension [Value] {
  /// Checks the types of the values.
  ///
  /// - Throws: `Failed` if the values do not have these types.
  func check(areOf types: String) throws(DBusError) {
    let found: String
    do {
      found = try Signature(of: self).string
    } catch {
      throw .failed(error.description)
    }
    guard found == types else { throw .failed("its types are '\(found)' instead of '\(types)'") }
  }
}
