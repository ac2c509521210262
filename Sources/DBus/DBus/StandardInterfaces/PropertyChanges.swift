/// Changes of properties that no signal has told of yet, in the order of the first change of each interface.
struct PropertyChanges {
  struct Key: Hashable {
    let path: ObjectPath
    let interface: String
  }

  private(set) var order: [Key] = []
  private(set) var names: [Key: Set<String>] = [:]

  var isEmpty: Bool { order.isEmpty }

  mutating func add(_ names: [String], at key: Key) {
    if self.names[key] == nil { order.append(key) }
    self.names[key, default: []].formUnion(names)
  }
}

extension Connection {
  /// Notes that properties have changed. One `PropertiesChanged` for each interface tells of all changes up to the next
  /// message that leaves on this connection, and is sent before that message, or at the end of the loop's turn. The values are
  /// read when it is sent.
  ///
  /// - Parameters:
  ///   - path: An object of this connection. If it is gone when the signal is due, there is none.
  ///   - interface: One of its interfaces.
  ///   - names: Some of its properties. Those that the description calls `const` or `false` are left out, those it calls
  ///     `invalidates` are named without their values.
  public func propertiesChanged(at path: ObjectPath, interface: String, names: [String]) {
    guard isOpen, !names.isEmpty else { return }
    if changes.isEmpty {
      loop.post { [weak self] in self?.assumeIsolated { $0.flushPropertyChanges() } }
    }
    changes.add(names, at: PropertyChanges.Key(path: path, interface: interface))
  }

  /// Sends what ``propertiesChanged(at:interface:names:)`` has noted.
  func flushPropertyChanges() {
    guard !changes.isEmpty else { return }
    let flushed = changes
    // Empty before anything is sent: sending flushes.
    changes = PropertyChanges()
    for key in flushed.order {
      guard let object = objects.object(at: key.path), let interface = object.interface(key.interface) else { continue }
      let names = flushed.names[key] ?? []
      sendChanges(of: interface.properties.filter { names.contains($0.name) }, of: object, at: key)
    }
  }

  private func sendChanges(of properties: [PropertyDescription], of object: any ExportedObject, at key: PropertyChanges.Key) {
    var changed: [String: Value] = [:]
    var invalidated: [String] = []
    for property in properties where property.access.isReadable {
      switch property.emitsChanged {
      case .true:
        if let value = try? object.property(property.name, of: key.interface) {
          changed[property.name] = value
        } else {
          invalidated.append(property.name)
        }
      case .invalidates: invalidated.append(property.name)
      case .const, .false: break
      }
    }
    guard !changed.isEmpty || !invalidated.isEmpty else { return }
    do throws(DBusError) {
      try emit(propertiesChangedSignal(key, .vardict(changed), invalidated))
    } catch {
      // Too large, most likely: that it has changed can still be said. If not even that can, there is nothing left to say.
      try? emit(propertiesChangedSignal(key, .vardict([:]), invalidated + changed.keys.sorted()))
    }
  }

  private func propertiesChangedSignal(_ key: PropertyChanges.Key, _ changed: Value, _ invalidated: [String]) -> Signal {
    Signal(
      path: key.path, interface: StandardInterfaces.properties.name, member: "PropertiesChanged",
      body: [.string(key.interface), changed, .strings(invalidated)])
  }
}
