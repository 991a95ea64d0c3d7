import SchemaModel
import SchemaRehearsal
import SchemaWorkspace

/// Makes the input of one run: a function of the corpus, the seed and the run's index.
struct Mutator {
  /// Inputs are cut here, so that a run's time is lint's and not the text's.
  static let mostBytes = 24 * 1024

  let corpus: Corpus
  var random: SplitMix64
  var files: [SourceFile] = []
  /// Whether the run is to get beyond the readers: only entries that other manifests have come into it.
  var isGentle = false
  /// The path of the file that is edited.
  var current = ""

  init(corpus: Corpus, random: SplitMix64) {
    self.corpus = corpus
    self.random = random
  }

  /// The files of a run.
  static func files(_ corpus: Corpus, seed: UInt64, index: Int) -> [SourceFile] {
    // Neighbouring runs must not share their sequences.
    var mixed = SplitMix64(seed: seed)
    let start = mixed.next() ^ (UInt64(index) &* 0xD134_2543_DE82_EF95)
    var mutator = Mutator(corpus: corpus, random: SplitMix64(seed: start))
    mutator.make()
    var paths: Set<String> = []
    return mutator.files.filter { paths.insert($0.path).inserted }
  }

  private mutating func make() {
    let isHistory = !corpus.histories.isEmpty && chance(1, in: 8)
    files = isHistory ? pick(corpus.histories)! : pick(corpus.examples)!
    if chance(1, in: 16) { release() }
    if chance(1, in: 12) { writeBaseline() }
    if chance(1, in: 8) { addConfiguration() }
    if chance(1, in: 40) { addTemplate() }
    if chance(1, in: 6) { setAllLevels() }
    // One run in thirty is left as it is: the way through to generated files must be walked as well.
    guard !chance(1, in: 30) else { return }
    isGentle = chance(2, in: 3)
    repeat { mutate() } while chance(1, in: 2)
    for index in files.indices where files[index].bytes.count > Self.mostBytes {
      files[index].bytes.removeSubrange(Self.mostBytes...)
    }
  }

  private mutating func mutate() {
    guard !files.isEmpty else { return }
    if isGentle { return mutateEntries() }
    switch random.below(20) {
    case 0...14: mutateStructure()
    case 15...17: mutateLines()
    case 18: insertToken()
    default: mutateBytes()
    }
  }

  // MARK: Choosing

  mutating func chance(_ times: Int, in all: Int) -> Bool { random.below(all) < times }

  mutating func pick<Element>(_ elements: some RandomAccessCollection<Element>) -> Element? {
    guard !elements.isEmpty else { return nil }
    return elements[elements.index(elements.startIndex, offsetBy: random.below(elements.count))]
  }

  /// A file, most often one that is not the lock or the configuration.
  mutating func pickFile() -> Int {
    let manifests = files.indices.filter { files[$0].isManifest }
    return chance(4, in: 5)
      ? pick(manifests) ?? random.below(files.count) : random.below(files.count)
  }

  // MARK: What surrounds manifests

  /// Generates, and releases the versions that are there, so that the mutations change what has shipped.
  private mutating func release() {
    let disk = MemoryFiles(files)
    let generation = GenerationPipeline(fileSystem: disk).run(Corpus.folder)
    guard !generation.diagnostics.hasErrors else { return }
    // Memory does not refuse.
    try? generation.write(to: disk)
    let versions = generation.folder?.versions.map(\.number) ?? []
    let release = ReleaseMarking.prepare(Corpus.folder, upTo: pick(versions), fileSystem: disk)
    try? release.write(to: disk)
    // Mostly the lock alone; at times all that was generated, which mutations then edit by hand.
    let keepsAll = chance(1, in: 4)
    for (path, bytes) in disk.changes where keepsAll || path == SchemaLock.fileName {
      if let bytes { set(SourceFile(path: path, bytes: bytes)) }
    }
  }

  private mutating func writeBaseline() {
    let lint = Linter(Trial.options, fileSystem: MemoryFiles(files)).run(Corpus.folder)
    set(SourceFile(path: Baseline.fileName, text: lint.baseline.text))
  }

  private mutating func addConfiguration() {
    let others = corpus.files.filter { $0.path == "schemagen.yaml" }
    if let other = pick(others) { set(other) }
  }

  /// One of the templates as the user's own, broken or not.
  private mutating func addTemplate() {
    guard let template = pick(corpus.templates) else { return }
    let configuration = files.first { $0.path == "schemagen.yaml" }
    let text = (configuration?.text ?? "") + "\ntemplates: Own\n"
    set(SourceFile(path: "schemagen.yaml", text: text))
    set(template)
    guard let index = files.firstIndex(where: { $0.path == template.path }) else { return }
    var lines = TextLines(template.bytes)
    let tags = [
      "{{", "}}", "{{#models}}", "{{/models}}", "{{^a}}", "{{{a}}}", "{{name}}", "{{!",
      "{{=<% %>=}}", "{{>a}}",
    ]
    switch random.below(4) {
    case 0: lines.lines.remove(at: random.below(lines.lines.count))
    case 1: lines.insert(pick(tags)!, at: random.below(lines.lines.count))
    case 2: files[index].bytes.removeSubrange(random.below(template.bytes.count)...)
    default: break
    }
    if lines.bytes != template.bytes { files[index].bytes = lines.bytes }
  }

  mutating func set(_ file: SourceFile) {
    files.removeAll { $0.path == file.path }
    files.append(file)
    files.sort { $0.path < $1.path }
  }

  // MARK: Bytes

  private mutating func mutateBytes() {
    let index = pickFile()
    var bytes = files[index].bytes
    guard !bytes.isEmpty else { return }
    let place = random.below(bytes.count)
    let end = min(bytes.count, place + 1 + random.below(8))
    switch random.below(8) {
    case 0: bytes[place] ^= 1 << UInt8(random.below(8))
    case 1: bytes[place] = UInt8(random.below(256))
    case 2: bytes.insert(UInt8(random.below(256)), at: place)
    case 3: bytes.removeSubrange(place..<end)
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 5: bytes.removeSubrange(place...)
    case 6:
      // The head of one file and the tail of another.
      guard let other = pick(corpus.files), !other.bytes.isEmpty else { return }
      bytes.removeSubrange(place...)
      bytes += other.bytes[random.below(other.bytes.count)...]
    default: bytes.swapAt(place, random.below(bytes.count))
    }
    files[index].bytes = bytes
  }

  // MARK: Tokens

  private mutating func insertToken() {
    let index = pickFile()
    let bytes = files[index].bytes
    var token = Array(anyToken().utf8)
    switch random.below(40) {
    case 0: token = Array(String(repeating: token.first == 0x7B ? "{a: " : "[", count: 2_000).utf8)
    case 1: token = Array(repeating: UInt8(ascii: "x"), count: 1 << (4 + random.below(9)))
    case 2:
      token = Array((0..<150).map { String(repeating: " ", count: $0) + "a:\n" }.joined().utf8)
    default: break
    }
    switch random.below(20) {
    case 0: files[index].bytes = [0xEF, 0xBB, 0xBF] + bytes
    case 1: files[index].bytes = bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
    default:
      // At the border of a word, where it has a meaning, or anywhere.
      let borders = bytes.indices.filter { bytes[$0] == 0x20 || bytes[$0] == 0x0A }
      let place = chance(3, in: 4) ? pick(borders).map { $0 + 1 } : random.below(bytes.count + 1)
      files[index].bytes.insert(contentsOf: token, at: place ?? 0)
    }
  }

  mutating func anyToken() -> String {
    let lists = [
      corpus.tokens.keys, corpus.tokens.values, corpus.tokens.rules, Tokens.indicators,
      Tokens.names, Tokens.numbers, Tokens.types, Tokens.expressions,
    ]
    return pick(pick(lists)!)!
  }
}

extension SourceFile {
  var isManifest: Bool { name.hasPrefix("V") && name.hasSuffix(".yaml") }
}
