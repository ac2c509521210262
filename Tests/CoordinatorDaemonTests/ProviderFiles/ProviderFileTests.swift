import CoordinatorKit
import Foundation
import CoordinatorBus
import Testing

@testable import ProviderFiles

@Suite("Provider files", .timeLimit(.minutes(5)))
struct ProviderFileTests {
  @Test("A file says all that a registration can say")
  func everything() throws {
    let directory = try Directory([
      "wifi.conf": """
      # Networks.
      [Provider]
      BusName=com.example.Wifi
      Title=Network settings
      Version=3
      ObjectPath=/com/example/Wifi
      User=root
      Children=account  pets
      Concurrency=4
      [Flow join-network]
      Title=Join a network
      Summary=Connects this device to a network.
      Input=join.json
      Result=join.json
      Output=join.json
      Router=modal
      Deadline=10s
      Rehearsable=yes
      Leavable=no
      Singleton=yes
      Internal=yes
      Version=7
      [Flow forget network]
      Title=Forget a network
      """,
      "join.json": #"{"type": "object", "properties": {"ssid": {"type": "string", "title": "Network"}}, "required": ["ssid"]}"#,
    ])
    let file = try #require(directory.read("wifi.conf").file)
    #expect(directory.problems("wifi.conf") == [])
    #expect([file.busName, file.title, file.objectPath.string] == ["com.example.Wifi", "Network settings", "/com/example/Wifi"])
    #expect(file.user == 0 && file.children == ["account", "pets"] && file.concurrency == 4)
    #expect(file.flows.map(\.description.name) == ["forget network", "join-network"])
    #expect(file.flows.map(\.version) == [3, 7])
    #expect(file.flows.map(\.deadline) == [.seconds(5), .seconds(10)])
    let flow = file.flows[1]
    #expect(flow.description.title == "Join a network" && flow.description.summary == "Connects this device to a network.")
    #expect(flow.description.input.fields.map(\.name) == ["ssid"] && flow.description.router == .modal)
    #expect(flow.schemas.result?.fields.map(\.name) == ["ssid"] && flow.schemas.output != nil)
    #expect(flow.description.isRehearsable && flow.description.isSingleton && flow.description.isInternal)
    #expect(!flow.description.canBeLeft && file.flows[0].description.canBeLeft)
    #expect(file.flows[0].schemas.result == nil && file.flows[0].description.input.fields.isEmpty)
  }

  @Test("Every problem has its line, and what is missing is named")
  func problems() throws {
    let directory = try Directory([
      "a.conf": """
      [Provider]
      BusName=wifi
      Titel=Wifi
      User=no-such-user
      Concurrency=0
      [Flow join]
      Title=Join
      Input=../join.json
      Deadline=1min
      Result=broken.json
      Output=none.json
      [Flow]
      """,
      "b.conf": "[Flow join]\nInput=secret.json\nResult=wrong.json\n", "c.conf": "[Provider]\nBusName=com.example.C\n",
      "d.conf": "[Provider]\nBusName=org.freedesktop.DBus\n[Flow \(String(repeating: "x", count: 129))]\nTitle=X\n",
      "broken.json": "{\n",
      "wrong.json": #"{"type": "object", "properties": {"a": {"type": "string", "minLenght": 3, "title": "A"}}}"#,
      "secret.json":
        #"{"type": "object", "properties": {"pass": {"type": "string", "title": "P", "writeOnly": true}}, "required": ["pass"]}"#,
    ])
    let a = directory.problems("a.conf")
    for line in [
      "a.conf:2: BusName=wifi: expected a well-known bus name such as com.example.Wifi",
      "a.conf:3: unknown key Titel in [Provider]; did you mean Title?",
      "a.conf:4: User=no-such-user: there is no user 'no-such-user' on this system",
      "a.conf:5: Concurrency=0: expected a whole number from 1 to 1024",
      "a.conf:8: Input=../join.json: expected the name of a file in the same directory",
      "a.conf:9: Deadline=1min: expected a time from 1ms to 20s, such as 500ms or 10s",
      "a.conf:11: Output=none.json: no such file",
      "a.conf:12: [Flow] lacks a name; expected [Flow NAME]",
    ] { #expect(a.contains(line), "\(line) is not in \(a)") }
    #expect(a.contains { $0.hasPrefix("a.conf:10: Result=broken.json: is not JSON") }, "\(a)")
    #expect(a.count == 9, "\(a)")
    let b = directory.problems("b.conf")
    #expect(b.contains("b.conf: lacks BusName= in the section [Provider]"), "\(b)")
    #expect(b.contains("b.conf:1: [Flow join]: lacks Title="), "\(b)")
    #expect(b.contains { $0.hasPrefix("b.conf:2: Input=secret.json: has a secret field") }, "\(b)")
    #expect(b.contains { $0.hasPrefix("b.conf:3: Result=wrong.json: /properties/a/minLenght: is not a keyword") }, "\(b)")
    #expect(directory.problems("c.conf") == ["c.conf: names no flow; expected a section [Flow NAME]"])
    #expect(directory.problems("d.conf").count == 2)
    #expect(directory.problems("e.conf") == ["e.conf: no such file"])
  }

  @Test(
    "A schema is in the directory of its file, whatever mark follows a slash",
    arguments: ["../\u{301}x", "/\u{FE0F}x", "sub/\u{338}x"])
  func schemaIsInSameDirectory(path: String) throws {
    let conf = "[Provider]\nBusName=com.example.Wifi\n[Flow join]\nTitle=Join\nInput=\(path)\n"
    let schema = #"{"type": "object", "properties": {"ssid": {"type": "string", "title": "Network"}}}"#
    let directory = try Directory(["own/a.conf": conf, "\u{301}x": schema, "own/sub/\u{338}x": schema])
    let problems = directory.problems("own/a.conf")
    #expect(problems.count == 1 && problems[0].hasPrefix("own/a.conf:5: Input="), "\(problems)")
    #expect(problems.first?.hasSuffix(": expected the name of a file in the same directory") == true, "\(problems)")
  }

  @Test("A schema that is nested without end, and one that is not text, are problems and trap nothing")
  func hostileSchemas() throws {
    let conf = "[Provider]\nBusName=com.example.Wifi\n[Flow join]\nTitle=Join\nInput=s.json\n"
    for schema in [
      String(repeating: "[", count: 500_000),
      #"{"a":"# + String(repeating: "{\"a\":", count: 60) + "1" + String(repeating: "}", count: 61),
      "", "\u{0}", "null", "[]", "{\"type\": \"string\"}", "{\"type\": \"object\", \"properties\": 3}",
    ] {
      let directory = try Directory(["a.conf": conf, "s.json": schema])
      let problems = directory.problems("a.conf")
      #expect(problems.count == 1 && problems[0].hasPrefix("a.conf:5: Input=s.json: "), "\(schema.prefix(20)): \(problems)")
    }
  }

  @Test("The first directory wins, flow by flow, then the first name of a file; a loser says why, and a bad file gets nothing")
  func precedence() throws {
    func file(_ name: String, _ flows: String...) -> String {
      "[Provider]\nBusName=com.example.\(name)\n" + flows.map { "[Flow \($0)]\nTitle=\($0)\n" }.joined()
    }
    let directory = try Directory([
      "own/b.conf": file("Own", "coffee"), "own/c.conf": file("Late", "coffee", "pets"), "own/d.conf": "[Provider]\nBusName=x\n",
      "own/hidden.conf": "# Nothing.\n", "own/readme.txt": "no", "own/.a.conf": file("Dot", "coffee"),
      "shared/a.conf": file("Shared", "coffee", "tea"), "shared/hidden.conf": file("Hidden", "milk"),
      "shared/d.conf": file("Whole", "juice"),
    ])
    let files = ProviderFiles.read(
      ProviderPlaces(["own", "none", "shared", "own"].map { "\(directory.root)/\($0)" }), isBuiltIn: { $0 == "pets" })
    #expect(
      files.entries.mapValues(\.file.busName) == [
        "coffee": "com.example.Own", "tea": "com.example.Shared", "juice": "com.example.Whole",
      ])
    #expect(files.faulty.map { directory.relative($0.path) } == ["own/d.conf"])
    let losses = files.losses.map { directory.relative("\($0.key): \($0.value.map(\.reason).joined(separator: "; "))") }
    #expect(
      losses.sorted() == [
        "own/c.conf: coffee is served by own/b.conf; pets is built into the daemon",
        "shared/a.conf: coffee is served by own/b.conf",
      ])
  }

  @Test("Every key is in the manual page and in the document, and so is nothing else")
  func everyKeyIsDocumented() throws {
    let checkout = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    func keys(_ path: String, _ pattern: Regex<(Substring, Substring)>) throws -> [String] {
      let text = try String(contentsOf: checkout.appending(path: path), encoding: .utf8)
      return text.matches(of: pattern).map { String($0.1) }.sorted()
    }
    let all = ProviderKey.all.map(\.name).sorted()
    #expect(try keys("Packaging/man/coordinatord.provider.5", #/(?m)^\.BI (\w+)= /#) == all)
    #expect(try keys("Docs/provider-files.md", #/(?m)^\| `(\w+)=` \|/#) == all)
    #expect(try Set(keys("Packaging/examples/wifi.provider.conf", #/(?m)^\#?(\w+)=/#)) == Set(all))
  }

  @Test("A user's daemon looks in the directories of XDG, in descending precedence, and ignores relative ones")
  func places() {
    let own = ProviderPlaces.user(environment: [
      "HOME": "/home/ada", "XDG_CONFIG_DIRS": "/a:relative:/b/", "XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "x",
    ])
    #expect(
      own.directories == [
        "/home/ada/.config/coordinatord/providers", "/a/coordinatord/providers", "/b/coordinatord/providers",
        "/d/coordinatord/providers", "/usr/local/share/coordinatord/providers", "/usr/share/coordinatord/providers",
      ])
    #expect(ProviderPlaces.system.directories.first == "/etc/coordinatord/providers")
    // A provider serves one daemon, so other daemons do not offer its flows.
    #expect(ProviderPlaces.system(of: "kiosk").directories.first == "/etc/kiosk/providers")
    let kiosk = ProviderPlaces.user(environment: ["HOME": "/h"], of: "kiosk")
    #expect(kiosk.directories.allSatisfy { $0.hasSuffix("/kiosk/providers") })
  }
}
