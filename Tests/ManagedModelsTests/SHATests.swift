import Foundation
import ManagedModels
import Testing

/// Known digests, for both hashes: whole, in pieces, and around the ends of blocks.
@Suite struct SHATests {
  /// Examples of FIPS 180-4 and NIST.
  @Test(arguments: [
    (
      "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
      "204a8fc6dda82f0a0ced7beb8e08a41657c16ef468b228a8279be331a703c335"
        + "96fd15c13b1b07f9aa1d3bea57789ca031ad85c7a71dd70354ec631238ca3445"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu", 1,
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
    (
      "a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
      "e718483d0ce769644e2e42c7bc15b4638e1f98b13b2044285632a803afa973eb"
        + "de0ff244877ea60a4cb0432ce577c31beb009c5c2c49aa2e4eadb217ad8cc09b"
    ),
  ])
  func vectors(text: String, count: Int, sha256: String, sha512: String) {
    let text = String(repeating: text, count: count)
    #expect(SHA256.hash(text).hexadecimal == sha256)
    #expect(SHA512.hash(text).hexadecimal == sha512)
  }

  /// `head -c N /dev/zero | sha256sum`, for lengths at which the padding takes another block.
  @Test(arguments: [
    (55, "02779466cdec163811d078815c633f21901413081449002f24aa3e80f0b88ef7"),
    (56, "d4817aa5497628e7c77e6b606107042bbba3130888c5f47a375e6179be789fbb"),
    (64, "f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b"),
  ])
  func sha256AtBlockEnds(length: Int, expected: String) {
    #expect(SHA256.hash([UInt8](repeating: 0, count: length)).hexadecimal == expected)
  }

  /// `head -c N /dev/zero | sha512sum`, likewise.
  @Test(arguments: [
    (
      111,
      "77ddd3a542e530fd047b8977c657ba6ce72f1492e360b2b2212cd264e75ec038"
        + "82e4ff0525517ab4207d14c70c2259ba88d4d335ee0e7e20543d22102ab1788c"
    ),
    (
      112,
      "2be2e788c8a8adeaa9c89a7f78904cacea6e39297d75e0573a73c756234534d6"
        + "627ab4156b48a6657b29ab8beb73334040ad39ead81446bb09c70704ec707952"
    ),
    (
      119,
      "c2e210f2674a648d9b58683e651f8fca5ce4270c0489773d8e4ffaecd46b22b1"
        + "d5273697f45275a7c441c9e4ca91a39bdb3e3b7eb74cbdb85266eef8f30ac860"
    ),
    (
      120,
      "c106c47ad6eb79cd2290681cb04cb183effbd0b49402151385b2d07be966e2d5"
        + "0bc9db78e00bf30bb567ccdd3a1c7847260c94173ba215a0feabb0edeb643ff0"
    ),
    (
      128,
      "ab942f526272e456ed68a979f50202905ca903a141ed98443567b11ef0bf25a5"
        + "52d639051a01be58558122c58e3de07d749ee59ded36acf0c55cd91924d6ba11"
    ),
  ])
  func sha512AtBlockEnds(length: Int, expected: String) {
    #expect(SHA512.hash([UInt8](repeating: 0, count: length)).hexadecimal == expected)
  }

  @Test(arguments: [1, 3, 55, 56, 63, 64, 65, 111, 127, 128, 129, 1000])
  func piecesGiveWhatTheWholeGives(length: Int) {
    let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 5) }
    var short = SHA256()
    var long = SHA512()
    for start in stride(from: 0, to: bytes.count, by: length) {
      let piece = Array(bytes[start..<min(start + length, bytes.count)])
      short.update(piece)
      long.update(piece)
    }
    #expect(short.finalize() == SHA256.hash(bytes))
    #expect(long.finalize() == SHA512.hash(bytes))
  }

  #if os(Linux)
    /// The kernel's list of the processor's features decides.
    @Test func instructionsAreUsedWhereThereAre() throws {
      let processor = try String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
      let flags = Set(processor.split(whereSeparator: \.isWhitespace))
      #expect(SHA256Function.hasInstructions == !flags.isDisjoint(with: ["sha_ni", "sha2"]))
    }
  #endif

  #if !canImport(CryptoKit)
    /// The implementation in Swift, which `SHA256` uses only if the processor has no instructions for it.
    private enum Written: BlockFunction {
      static let initial = SHA256Function.initial
      static let constants = SHA256Function.constants

      static func compress(
        _ blocks: UnsafeRawBufferPointer, at start: Int, _ constants: UnsafeBufferPointer<UInt32>,
        _ words: UnsafeMutableBufferPointer<UInt32>, _ state: UnsafeMutableBufferPointer<UInt32>
      ) {
        SHA256Function.compress(blocks, at: start, constants, words, state)
      }
    }

    @Test func instructionsGiveWhatSwiftGives() {
      var generator = SystemRandomNumberGenerator()
      for length in Array(0...300) + (0..<200).map({ _ in Int.random(in: 0...20_000) }) {
        let bytes = (0..<length).map { _ in generator.next() as UInt8 }
        // At an odd address, and in pieces.
        let cut = Int.random(in: 0...length)
        var hash = SHA256()
        ([0] + bytes).withUnsafeBytes { hash.update(.init(rebasing: $0[1..<1 + cut])) }
        hash.update(Array(bytes[cut...]))
        #expect(hash.finalize() == BlockHash<Written>.hash(bytes), "\(bytes.hexadecimal)")
      }
    }

    @Test(arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
    ])
    func swiftGivesTheVectors(text: String, sha256: String) {
      #expect(BlockHash<Written>.hash(text).hexadecimal == sha256)
    }
  #endif
}
