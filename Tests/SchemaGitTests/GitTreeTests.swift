import Foundation
import SchemaGit
import SchemaWorkspace
import TestSupport
import Testing

/// A folder in git as a file system: of a commit, and staged.
@Suite struct GitTreeTests {
  /// A repository with one commit of two files and a link.
  private func withRepository(_ work: (Repository) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let repository = try Repository(folder + "/a repository")
      try repository.write("one\n", "Schemas/V1.yaml")
      try repository.write("größe\n", "Schemas/Ünder [*] way/Größe.yaml")
      try repository.commit("one")
      try work(repository)
    }
  }

  private func text(_ tree: GitTree, _ path: String) throws -> String? {
    try tree.read(path, limit: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
  }

  private func tree(_ repository: Repository, _ name: String) throws -> GitTree {
    let found = try GitRepository(containing: repository.folder)
    return try GitTree(found, commit: found.reference(name).commit)
  }

  @Test("A commit's files are read whatever the working tree contains")
  func commits() throws {
    try withRepository { repository in
      let folder = repository.folder
      try repository.write("two\n", "Schemas/V1.yaml")
      try FileManager.default.removeItem(atPath: folder + "/Schemas/Ünder [*] way")
      let tree = try tree(repository, "HEAD")
      #expect(try tree.list(folder + "/Schemas") == ["V1.yaml", "Ünder [*] way"])
      #expect(try tree.list(folder + "/Nowhere") == nil)
      #expect(try text(tree, folder + "/Schemas/V1.yaml") == "one\n")
      #expect(try text(tree, folder + "/Schemas/Ünder [*] way/Größe.yaml") == "größe\n")
      #expect(try tree.read(folder + "/Schemas/V1.yaml", limit: 2) == Array("on".utf8))
      #expect(tree.isFolder(folder) && !tree.isFolder(folder + "/Schemas/V1.yaml"))
      #expect(throws: FileSystemError.self) { try tree.write([], to: folder + "/x") }
      #expect(throws: FileSystemError.self) { try tree.read("/etc/hosts", limit: 1) }
    }
  }

  @Test("Staged files are read, not the working tree or files added with '--intent-to-add'")
  func staged() throws {
    try withRepository { repository in
      let folder = repository.folder
      try repository.write("two\n", "Schemas/V1.yaml")
      try repository.git("add", "Schemas/V1.yaml")
      try repository.write("three\n", "Schemas/V1.yaml")
      try repository.write("meant\n", "Schemas/V3.yaml")
      try repository.git("add", "--intent-to-add", "Schemas/V3.yaml")
      let tree = try GitTree.staged(for: folder + "/Schemas")
      #expect(try text(tree, folder + "/Schemas/V1.yaml") == "two\n")
      #expect(try tree.list(folder + "/Schemas")?.contains("V3.yaml") == false)
    }
  }

  @Test("Symbolic links are followed inside the repository and reported if they leave it")
  func links() throws {
    try withRepository { repository in
      let folder = repository.folder
      for (link, target) in [
        ("Linked", "Schemas"), ("Schemas/V2.yaml", "../Schemas/V1.yaml"), ("Out", "../.."),
        ("Root", "/etc"), ("Circle", "Circle"),
      ] {
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/" + link, withDestinationPath: target)
      }
      try repository.commit("links")
      let tree = try tree(repository, "HEAD")
      #expect(try text(tree, folder + "/Linked/V2.yaml") == "one\n")
      #expect(tree.isFolder(folder + "/Linked"))
      for name in ["Out/x", "Root/hosts", "Circle"] {
        #expect(throws: FileSystemError.self, "\(name)") { try tree.list(folder + "/" + name) }
      }
      // A link from elsewhere into the repository leads to the repository.
      let elsewhere = folder + "/../elsewhere"
      try FileManager.default.createSymbolicLink(
        atPath: elsewhere, withDestinationPath: "a repository/Schemas")
      #expect(try text(GitTree.staged(for: elsewhere), elsewhere + "/V1.yaml") == "one\n")
    }
  }

  @Test("A worktree, a submodule and a sparse checkout each use their own files")
  func worktrees() throws {
    try withRepository { repository in
      let folder = repository.folder
      try repository.git("worktree", "add", "--quiet", "../tree", "-b", "other")
      let worktree = Repository(existing: folder + "/../tree")
      try worktree.write("other\n", "Schemas/V1.yaml")
      try worktree.git("add", "--all")
      let path = worktree.folder + "/Schemas"
      #expect(try text(GitTree.staged(for: path), path + "/V1.yaml") == "other\n")
      #expect(try text(GitTree.staged(for: folder), folder + "/Schemas/V1.yaml") == "one\n")

      let outer = try Repository(folder + "/../outer")
      try outer.git("submodule", "--quiet", "add", folder, "module")
      try outer.commit("module")
      let inner = outer.folder + "/module/Schemas"
      #expect(try text(GitTree.staged(for: inner), inner + "/V1.yaml") == "one\n")
      let tree = try GitTree.staged(for: outer.folder)
      let failure = #expect(throws: FileSystemError.self) { try tree.list(inner) }
      #expect(failure?.reason == "the path is in the submodule 'module'")
      // A file of the submodule is read from the commit recorded here, whatever is checked out.
      try Repository(existing: outer.folder + "/module").write("later\n", "Schemas/V1.yaml")
      try Repository(existing: outer.folder + "/module").commit("later")
      #expect(try text(tree, inner + "/V1.yaml") == "one\n")
      try outer.git("submodule", "--quiet", "deinit", "--force", "module")
      let gone = #expect(throws: FileSystemError.self) {
        try tree.read(inner + "/V1.yaml", limit: 1)
      }
      #expect(gone?.reason == "the path is in the submodule 'module'")

      try repository.git("sparse-checkout", "set", "--no-cone", "/nothing")
      #expect(!Disk().isFolder(folder + "/Schemas"))
      let sparse = folder + "/Schemas/V1.yaml"
      #expect(try text(GitTree.staged(for: folder + "/Schemas"), sparse) == "one\n")
    }
  }

  @Test("Merge conflicts are reported")
  func conflicts() throws {
    try withRepository { repository in
      try repository.git("checkout", "--quiet", "-b", "other")
      try repository.write("other\n", "Schemas/V1.yaml")
      try repository.commit("other")
      try repository.git("checkout", "--quiet", "main")
      try repository.write("main\n", "Schemas/V1.yaml")
      try repository.commit("main")
      #expect(try repository.attempt(["merge", "other"]).status == 1)
      let path = repository.folder + "/Schemas/V1.yaml"
      let tree = try GitTree.staged(for: path)
      #expect(try tree.list(repository.folder + "/Schemas")?.contains("V1.yaml") == true)
      let failure = #expect(throws: FileSystemError.self) { try tree.read(path, limit: 1) }
      #expect(failure?.reason.contains("git add") == true)
    }
  }

  @Test("An unknown reference and a shallow history are refused with advice")
  func failures() throws {
    try withRepository { repository in
      let found = try GitRepository(containing: repository.folder)
      for name in ["--output=x", "", "nowhere", "HEAD:Schemas"] {
        #expect(throws: GitFailure.self, "\(name)") { try found.reference(name) }
      }
      let misspelt = #expect(throws: GitFailure.self) { try found.reference("mian") }
      #expect(misspelt?.help.first == "did you mean 'main'?")
      try repository.git("tag", "--annotate", "--message", "x", "v1")
      #expect(try found.reference("v1").isTag)
      #expect(try !found.reference("main").isTag)
      #expect(try found.reference("v1").commit == found.reference("HEAD").commit)

      try repository.git("checkout", "--quiet", "-b", "other")
      try repository.write("x", "x")
      try repository.commit("other")
      try repository.git("checkout", "--quiet", "main")
      try repository.write("y", "y")
      try repository.commit("main")
      try repository.git(
        "clone", "--quiet", "--depth", "1", "--no-single-branch", "file://" + repository.folder,
        "../shallow")
      let shallow = try GitRepository(containing: repository.folder + "/../shallow")
      let reference = try shallow.reference("origin/other")
      let short = #expect(throws: GitFailure.self) { try shallow.mergeBase(with: reference) }
      #expect(short?.reason.contains("shallow") == true)
      #expect(short?.help.joined().contains("fetch-depth: 0") == true)
      let gone = #expect(throws: GitFailure.self) { try shallow.reference("origin/gone") }
      #expect(gone?.help.contains("fetch it: git fetch origin gone") == true)

      let outside = #expect(throws: GitFailure.self) {
        try GitRepository(containing: repository.folder + "/../..")
      }
      #expect(outside?.reason.contains("is not in a git repository") == true)
    }
  }

  @Test("Git is run without the environment variables that it calls local")
  func localVariables() throws {
    let told = try run("git", ["rev-parse", "--local-env-vars"]).output.split(separator: "\n")
    #expect(told.count > 5 && Set(told.map(String.init)).isSubset(of: GitProcess.localVariables))
  }
}
