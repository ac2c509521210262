import CoordinatorKit
import DBus
import Testing

@testable import ControlTool
@testable import RendererKit

@Suite("The drawing of a tree", .timeLimit(.minutes(5)))
struct TreeNodeTests {
  private func node(_ path: ObjectPath, screens: [TreeNode.Screen] = [], _ children: TreeNode...) -> TreeNode {
    TreeNode(path: path, flow: "flow", token: nil, startedAt: 0, screens: screens, children: children)
  }

  private var tree: TreeNode {
    let visit = TreeNode.Screen(id: 2, name: "visit", isTop: true)
    return node(
      "/f/pets_1", screens: [TreeNode.Screen(id: 1, name: "home", isTop: false)],
      node("/f/pets_1/a_1", node("/f/pets_1/a_1/b_1")), node("/f/pets_1/c_1", screens: [visit]))
  }

  @Test("A tree is drawn with ASCII lines")
  func treeIsDrawnInASCII() {
    #expect(
      tree.lines(style: TextStyle()) == ["pets_1  1 home", "|- a_1", "|  `- b_1", "`- c_1  [2 visit]"])
  }

  @Test("A tree is drawn with Unicode lines where the terminal supports them")
  func treeIsDrawnInUnicode() {
    #expect(
      tree.lines(style: TextStyle(isUnicode: true)) == ["pets_1  1 home", "├─ a_1", "│  └─ b_1", "└─ c_1  [2 visit]"])
  }

  @Test("A held tree shows its reason below the root, and in the JSON of each coordinator")
  func heldTreeShowsItsReason() {
    var tree = node("/f/pets_1", node("/f/pets_1/a_1"))
    tree.held = "the flow pets no longer exists\u{1b}[2J"
    tree.children[0].held = tree.held
    #expect(tree.lines(style: TextStyle()) == ["pets_1", "   held: the flow pets no longer exists[2J", "`- a_1"])
    #expect(tree.json["children"]?[0]?["held"]?.string == tree.held)
    #expect(self.tree.json["held"] == nil)
  }

  @Test("The JSON of a tree has the same keys at every level")
  func treeHasTheSameJSONKeysAtEveryLevel() {
    #expect(tree.json["children"]?[1]?["screens"] == [["id": 2, "name": "visit", "top": true]])
    #expect(tree.json["coordinator"] == "/f/pets_1")
  }
}
