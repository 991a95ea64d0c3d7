internal import SchemaProcesses

extension GitProcess {
  /// Reads the contents of objects by id, in one process. Leaves out objects that git does not have.
  func contents(of ids: some Sequence<String>) throws(GitFailure) -> [String: [UInt8]] {
    let answer = try answer(["cat-file", "--batch"], input: Self.input(ids)).output
    var found: [String: [UInt8]] = [:]
    var position = answer.startIndex
    // `id type size`, the bytes, a line break; or `id missing`.
    while let end = answer[position...].firstIndex(of: UInt8(ascii: "\n")) {
      let fields = String(decoding: answer[position..<end], as: UTF8.self).split(separator: " ")
      position = end + 1
      guard fields.count == 3, let size = Int(fields[2]), position + size <= answer.endIndex else {
        continue
      }
      found[String(fields[0])] = Array(answer[position..<position + size])
      position += size + 1
      if position >= answer.endIndex { break }
    }
    return found
  }

  /// Leaves out objects that git does not have.
  func sizes(of ids: some Sequence<String>) throws(GitFailure) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for line in try answer(["cat-file", "--batch-check"], input: Self.input(ids)).lines {
      let fields = line.split(separator: " ")
      if fields.count == 3, let size = Int(fields[2]) { sizes[String(fields[0])] = size }
    }
    return sizes
  }

  /// Finds objects by names such as `v1^{commit}`. Nil for each object that git does not have, or that is not of the
  /// type in braces.
  func types(of names: [String]) throws(GitFailure) -> [(id: String, type: String)?] {
    guard !names.isEmpty else { return [] }
    let lines = try answer(
      ["cat-file", "--batch-check=%(objectname) %(objecttype)"],
      input: Array(names.map { $0 + "\n" }.joined().utf8)
    ).lines
    guard lines.count == names.count else { throw GitFailure("git cat-file gave no answer") }
    return lines.map { line in
      let fields = line.split(separator: " ")
      return fields.count == 2 && fields[1] != "missing"
        ? (String(fields[0]), String(fields[1])) : nil
    }
  }

  private static func input(_ ids: some Sequence<String>) -> [UInt8] {
    Array(Set(ids).sorted().map { $0 + "\n" }.joined().utf8)
  }
}
