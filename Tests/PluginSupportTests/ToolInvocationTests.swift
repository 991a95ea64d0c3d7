import Testing

@Suite("Arguments that a plugin passes to schemagen")
struct ToolInvocationTests {
  private func arguments(_ arguments: String...) -> [String] {
    ToolInvocation(arguments, root: "/a folder").arguments
  }

  @Test("Without arguments the plugin generates in the package's folder")
  func generates() {
    #expect(arguments() == ["generate", "--root", "/a folder"])
  }

  @Test("Arguments are passed on in their order")
  func forwards() {
    #expect(
      arguments("--schemas", "Other", "--check")
        == ["generate", "--root", "/a folder", "--schemas", "Other", "--check"])
  }

  @Test(
    "A command as the first argument replaces 'generate'",
    arguments: ["generate", "diff", "init", "new-version"])
  func commands(_ command: String) {
    #expect(arguments(command, "-x") == [command, "--root", "/a folder", "-x"])
  }

  @Test("Each plugin has a default command, which a first argument replaces")
  func ownCommand() {
    func lint(_ arguments: String...) -> [String] {
      ToolInvocation(arguments, command: "lint", root: "/r").arguments
    }
    #expect(lint("--strict") == ["lint", "--root", "/r", "--strict"])
    #expect(lint("explain", "missing-default") == ["explain", "missing-default"])
    #expect(lint("baseline", "write", "-x") == ["baseline", "write", "--root", "/r", "-x"])
    #expect(lint("baseline") == ["baseline", "--root", "/r"])
  }

  @Test("A command that reads no files gets no '--root'", arguments: ["explain", "help"])
  func withoutRoot(_ command: String) {
    #expect(arguments(command) == [command])
  }

  @Test("Only the first argument can be a command")
  func laterIsNoCommand() {
    #expect(
      arguments("--schemas", "diff") == ["generate", "--root", "/a folder", "--schemas", "diff"])
  }

  @Test("Xcode's '--target' arguments are removed")
  func swallowsTargets() {
    let generate = ["generate", "--root", "/a folder", "--check"]
    #expect(arguments("--target", "App", "--check") == generate)
    #expect(arguments("--check", "--target", "App", "--target", "Tests") == generate)
    #expect(arguments("--target=App", "--check") == generate)
    #expect(arguments("--check", "--target") == generate)
    #expect(arguments("--target", "App", "diff") == ["diff", "--root", "/a folder"])
  }

  @Test("Arguments like '--targets', and all after '--', are passed on")
  func keepsOthers() {
    #expect(arguments("--targets").last == "--targets")
    #expect(Array(arguments("--", "--target", "x").suffix(3)) == ["--", "--target", "x"])
  }

  @Test("The user's '--root' is not overridden")
  func ownRoot() {
    #expect(arguments("--root", "x") == ["generate", "--root", "x"])
    #expect(arguments("diff", "--root=x") == ["diff", "--root=x"])
  }

  @Test("Only status 0 is success, and each failure has its own message")
  func failures() throws {
    let invocation = ToolInvocation([], root: "/")
    #expect(invocation.failure(status: 0, isSignal: false) == nil)
    #expect(try #require(invocation.failure(status: 1, isSignal: false)).contains("found errors"))
    #expect(try #require(invocation.failure(status: 2, isSignal: false)).contains("wrong usage"))
    #expect(try #require(invocation.failure(status: 7, isSignal: false)).contains("status 7"))
    #expect(try #require(invocation.failure(status: 5, isSignal: true)).contains("signal 5"))
    #expect(try #require(invocation.failure(status: 0, isSignal: true)).contains("signal 0"))
    let check = ToolInvocation(["--check"], root: "/")
    #expect(try #require(check.failure(status: 1, isSignal: false)).contains("not up to date"))
  }

  @Test("The plugin that reads Swift runs 'schemagen-sources'")
  func sources() throws {
    func detect(_ arguments: String...) -> ToolInvocation {
      ToolInvocation(arguments, tool: .sources, command: "detect", root: "/r")
    }
    #expect(detect().tool.rawValue == "schemagen-sources")
    #expect(ToolInvocation([], root: "/r").tool.rawValue == "schemagen")
    #expect(detect("--strict").arguments == ["detect", "--root", "/r", "--strict"])
    for command in ["adopt", "lint-code", "affected"] {
      #expect(detect(command, "App", "-x").arguments == [command, "--root", "/r", "App", "-x"])
    }
    #expect(detect("help").arguments == ["help"])
    #expect(detect("--target", "App", "App").arguments == ["detect", "--root", "/r", "App"])
    // What the other executable can is a folder here.
    #expect(detect("generate").arguments == ["detect", "--root", "/r", "generate"])
    #expect(
      ToolInvocation(["detect"], root: "/r").arguments == ["generate", "--root", "/r", "detect"])
  }

  @Test("Failures of the plugin that reads Swift name 'schemagen-sources'")
  func failuresOfSources() throws {
    func failure(_ status: Int32, _ arguments: String...) -> String? {
      ToolInvocation(arguments, tool: .sources, command: "detect", root: "/")
        .failure(status: status, isSignal: false)
    }
    #expect(failure(0) == nil)
    #expect(failure(1) == "schemagen-sources detect reported errors (see above)")
    #expect(try #require(failure(1, "adopt")).contains("open questions"))
    #expect(try #require(failure(2, "affected")).hasPrefix("schemagen-sources affected could not"))
    let ended = ToolInvocation([], tool: .sources, command: "detect", root: "/")
      .failure(status: 9, isSignal: true)
    #expect(ended == "schemagen-sources detect was ended by signal 9")
  }
}
