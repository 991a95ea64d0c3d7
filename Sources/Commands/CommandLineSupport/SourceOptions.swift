package import ArgumentParser
internal import Foundation
package import SchemaModel

// The options of the commands that read Swift. Both executables declare them, because `schemagen` shows their help,
// completes them and refuses wrong ones before it starts `schemagen-sources`.

/// The options of a command that `schemagen` passes to `schemagen-sources` unchanged.
package protocol SourceOptions: ParsableArguments {
  static var configuration: CommandConfiguration { get }
}

package struct ConditionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The platform whose '#if os(…)' counts; default: those of 'platforms:', or iOS.",
      valueName: "name"))
  package var platform: String?

  @Option(
    help: ArgumentHelp(
      "A compilation condition that is set; may be given several times.", valueName: "name"))
  package var define: [String] = []

  package init() {}
}

package struct AdoptOptions: ParsableArguments {
  package static let configuration = CommandConfiguration(
    commandName: "adopt",
    abstract: "Write the manifests of an app that has hand-written SwiftData models.",
    discussion: """
      Reads every Swift file below the folders, follows the migration plan, and writes V1.yaml … Vn.yaml and \
      schemagen.yaml. The newest version's classes stay where they are: from then on 'schemagen snapshot' writes its \
      manifest from them. Overwrites nothing, and writes nothing if a manifest would be wrong.
      In a git repository, it reads the models at each tag that looks like a release's. For each release whose models \
      are no longer in the sources it writes a version: without it, stores of that release would not open (134504).
      With --store: reads a store that has shipped, without changing it, and writes its version's manifest. Facts \
      that a store does not record are listed, and noted in comments.
      With --xcdatamodel: writes a manifest for each version of a Core Data model, and says whether SwiftData can open \
      its stores in place, or what is in the way.
      Afterwards, --finish removes the files whose code 'schemagen generate' now writes, and lists such code in \
      other files.
      Exit status: 0 adopted; 1 adopted, but 'generate' has questions, or a store's hashes are not those of its \
      model; 2 nothing was written.
      """)

  @Argument(help: "Folders of Swift sources, or files.", completion: .file())
  package var paths: [String] = ["."]

  @Option(
    name: .long, help: ArgumentHelp("The folder to write manifests to.", valueName: "folder"),
    completion: .directory)
  package var schemas = "Schemas"

  @Option(
    help: ArgumentHelp(
      "Where the folders of generated files and user files go; default: next to the newest models.",
      valueName: "folder"), completion: .directory)
  package var output: String?

  @Option(
    help: ArgumentHelp("The migration plan to adopt, if there are several.", valueName: "name"))
  package var plan: String?

  @Option(
    help: ArgumentHelp(
      "The container whose models to adopt, if there are no versions and several containers.",
      valueName: "file:line"))
  package var container: String?

  @OptionGroup package var conditions: ConditionOptions

  @Flag(
    help:
      "Move the newest version's models into its manifest as well, so that all models are generated."
  )
  package var moveModels = false

  @Flag(
    help:
      "Read every commit that leads to HEAD, not only release tags: each set of models becomes a version."
  )
  package var history = false

  @Option(
    help: ArgumentHelp(
      "The oldest release whose stores the app has to open: older ones get no version.",
      valueName: "tag"))
  package var since: String?

  @Flag(help: "Show every finding, even if many say the same.")
  package var verbose = false

  @Flag(
    help: "Remove the files that 'generate' replaces, if git has them; list what else to remove.")
  package var finish = false

  @Flag(help: "Write nothing; show the manifests, or what --finish would remove.")
  package var dryRun = false

  @Option(
    help: ArgumentHelp("The folder that relative paths start from.", valueName: "folder"),
    completion: .directory)
  package var root: String?

  @OptionGroup package var progress: ProgressOptions

  @OptionGroup package var terminal: TerminalOptions

  package func validate() throws {
    if finish, output != nil {
      throw ValidationError("'--output' and '--finish' exclude each other")
    }
    if finish, moveModels {
      throw ValidationError(
        "'--move-models' and '--finish' exclude each other: schemagen.yaml records the choice")
    }
    if finish, history || since != nil {
      throw ValidationError("'--history' and '--since' exclude '--finish'")
    }
    if finish, container != nil {
      throw ValidationError("'--container' and '--finish' exclude each other")
    }
  }

  package init() {}
}

package struct SnapshotOptions: SourceOptions {
  package static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Write the newest manifest from the app's classes, and generate.",
    discussion: """
      Run it after each edit of a class. It reads the classes in the folder that 'classes:' in schemagen.yaml names, \
      and brings the newest manifest up to date. If that version has shipped and stores would differ, it begins the \
      next version. It keeps your comments and answers. After an error it writes nothing.
      Exit status: 0 the manifest matches the classes; 1 errors that need your answer, or --check found a difference; \
      2 wrong usage, or classes or manifests that cannot be read.
      """)

  @OptionGroup package var folders: FolderOptions

  @Option(
    help: ArgumentHelp(
      "Begin to keep classes: write the newest version's generated classes into one of the app's folders.",
      valueName: "folder"), completion: .directory)
  package var begin: String?

  @Flag(
    help: "Write nothing; exit with 1 if the newest manifest does not match the classes.")
  package var check = false

  @Flag(help: "Count warnings as errors.")
  package var strict = false

  @Flag(name: .shortAndLong, help: "Print findings only.")
  package var quiet = false

  @OptionGroup package var conditions: ConditionOptions

  @OptionGroup package var terminal: TerminalOptions

  package func validate() throws {
    guard begin != nil else { return }
    if check { throw ValidationError("'--begin' writes: remove '--check'") }
    if folders.schemas.count > 1 {
      throw ValidationError("'--begin' is for one folder of manifests: name it with '--schemas'")
    }
  }

  package init() {}
}

package struct DetectOptions: SourceOptions {
  package static let configuration = CommandConfiguration(
    commandName: "detect",
    abstract: "Compare the app's '@Model' classes with the newest manifests.",
    discussion: """
      Finds new models, models that are gone, properties that differ, generated files that were edited, and models \
      missing from their version.
      Exit status: 0 nothing to do; 1 errors, or warnings with --strict; 2 wrong usage, broken \
      manifests, or files that cannot be read.
      """)

  @Argument(help: "Folders of Swift sources, or files; default: the root.", completion: .file())
  package var paths: [String] = []

  @OptionGroup package var folders: FolderOptions

  @OptionGroup package var reporting: ReportOptions

  @OptionGroup package var conditions: ConditionOptions

  @OptionGroup package var day: DayOptions

  @OptionGroup package var terminal: TerminalOptions

  package init() {}
}

package struct LintCodeOptions: SourceOptions {
  package static let configuration = CommandConfiguration(
    commandName: "lint-code",
    abstract: "Find app code that names versions, and mistakes around migrations.",
    discussion: """
      Exit status: 0 no findings; 1 errors, or warnings with --strict; 2 wrong usage, broken \
      manifests, or files that cannot be read. 'schemagen explain' lists the rules, under 'Swift code'.
      """)

  @Argument(help: "Folders and files of Swift code; default: the root.", completion: .file())
  package var paths: [String] = []

  @OptionGroup package var folders: FolderOptions

  @OptionGroup package var reporting: ReportOptions

  @Flag(help: "Apply every safe fix, and report the rest.")
  package var fix = false

  @OptionGroup package var day: DayOptions

  @OptionGroup package var terminal: TerminalOptions

  package init() {}
}

package struct AffectedOptions: SourceOptions {
  package static let configuration = CommandConfiguration(
    commandName: "affected",
    abstract: "List the places in an app's code that use what changes between two versions.",
    discussion: """
      The list is a checklist in Markdown: each change, and below it the places in code that use what changes, from \
      the domain entity to the tests. Comments and strings do not count. Places in files that name neither the model \
      nor its entity are listed separately.
      """)

  @Argument(help: "Folders of Swift sources, or files.", completion: .file())
  package var paths: [String] = ["."]

  @OptionGroup package var folders: FolderOptions

  @Option(
    help: ArgumentHelp(
      "The version to begin with, such as V8; default: the last step.",
      valueName: "version"))
  package var from: VersionNumber?

  @Option(
    help: ArgumentHelp(
      "The version to end with, such as V9; without it, the newest.", valueName: "version"))
  package var to: VersionNumber?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Write the list to a file instead of the terminal.", valueName: "file"),
    completion: .file())
  package var output: String?

  @OptionGroup package var progress: ProgressOptions

  @OptionGroup package var terminal: TerminalOptions

  package func validate() throws {
    if let from, let to, from >= to {
      throw ValidationError("'--from \(from.name)' is not before '--to \(to.name)'")
    }
  }

  package init() {}
}

package struct TraceOptions: SourceOptions {
  package static let configuration = CommandConfiguration(
    commandName: "trace",
    abstract: "Find the commits that could have written a store.",
    discussion: """
      Walks the repository's history, reads each commit's manifests and '@Model' classes, and compares their hashes \
      with the store's. Shows the commits, the tags on them or around them, and how to add the manifest that is \
      missing. Changes nothing; -o writes that manifest.
      Exit status: 0 a commit could have written the store; 1 no such commit is known; 2 there is no store or no \
      repository, the store is damaged or unreadable, or wrong usage.
      """)

  @Argument(help: ArgumentHelp("The store's file.", valueName: "store"), completion: .file())
  package var store: String

  @OptionGroup package var folders: FolderOptions

  @OptionGroup package var showing: ShowingOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write the missing manifest to a file that does not exist yet.", valueName: "file"),
    completion: .file())
  package var output: String?

  @OptionGroup package var conditions: ConditionOptions

  @OptionGroup package var progress: ProgressOptions

  @OptionGroup package var terminal: TerminalOptions

  package init() {}
}

package struct ServeOptions: SourceOptions {
  package static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve editors and coding agents over standard input and output.",
    discussion: """
      Editors use the Language Server Protocol. In manifests, they get findings, quick fixes, what becomes of old \
      rows, and names; in Swift files, findings. Agents use the Model Context Protocol, with tools that only read: \
      none writes a manifest or approves a loss. The client's first message tells which of the two protocols it uses.
      Exit status: 0 the client ended the session; 1 the client ended without 'shutdown', or the messages cannot be \
      told apart; 2 wrong usage.
      """)

  @Option(
    help: ArgumentHelp(
      "The project's folder; default: what the editor names, or the working folder.",
      valueName: "folder"), completion: .directory)
  package var root: String?

  package init() {}
}
