# A formula for Homebrew, written by Scripts/release.sh from Scripts/release/schemagen.rb: change that.
class Schemagen < Formula
  desc "Generates and checks SwiftData schemas and migrations from YAML manifests"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license "MIT"

  on_macos do
    depends_on macos: :sonoma

    on_arm do
      url "@RELEASE@/schemagen-@VERSION@-arm64-apple-macosx.tar.gz"
      sha256 "@arm64-apple-macosx@"
    end

    on_intel do
      url "@RELEASE@/schemagen-@VERSION@-x86_64-apple-macosx.tar.gz"
      sha256 "@x86_64-apple-macosx@"
    end
  end

  on_linux do
    on_arm do
      url "@RELEASE@/schemagen-@VERSION@-aarch64-unknown-linux-gnu.tar.gz"
      sha256 "@aarch64-unknown-linux-gnu@"
    end

    on_intel do
      url "@RELEASE@/schemagen-@VERSION@-x86_64-unknown-linux-gnu.tar.gz"
      sha256 "@x86_64-unknown-linux-gnu@"
    end
  end

  def install
    # Man pages and the completions of zsh and fish lie where Homebrew looks for them; the programs find each other, and
    # what a rehearsal compiles, by their own place.
    prefix.install "bin", "share"
    bash_completion.install share/"bash-completion/completions/schemagen"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/schemagen --version").strip
    system bin/"schemagen", "init"
    system bin/"schemagen", "generate"
    assert_path_exists testpath/"Schemas/Generated/SchemaV1.swift"
    assert_match "no findings", shell_output("#{bin}/schemagen lint")
  end
end
