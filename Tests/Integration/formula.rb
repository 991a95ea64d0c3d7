# Installs a formula into a folder and runs its test, without Homebrew: the part of its language that ours uses, and
# nothing else of it. What Homebrew itself would do, such as linking and auditing, is not tried.
#
#   ruby formula.rb FORMULA ARCHIVES SCRATCH SYSTEM PROCESSOR     SYSTEM: macos, linux; PROCESSOR: arm, intel
require "digest"
require "fileutils"
require "open3"
require "pathname"

path, archives, scratch, SYSTEM, PROCESSOR = ARGV
PREFIX = Pathname(scratch)/"Cellar/schemagen"
TESTPATH = Pathname(scratch)/"test"

class Pathname
  def install(*names)
    mkpath
    names.each { |name| FileUtils.cp_r(name.to_s, self) }
  end
end

class Formula
  class << self
    attr_reader :values, :trial
    def inherited(formula) = ($formula = formula)
    %i[desc homepage version license url sha256].each do |name|
      define_method(name) { |value| (@values ||= {})[name] = value }
    end
    def depends_on(*) = nil
    def on_macos = SYSTEM == "macos" && yield
    def on_linux = SYSTEM == "linux" && yield
    def on_arm = PROCESSOR == "arm" && yield
    def on_intel = PROCESSOR == "intel" && yield
    def test(&block) = (@trial = block)
  end
  def prefix = PREFIX
  def bin = prefix/"bin"
  def share = prefix/"share"
  def bash_completion = prefix/"etc/bash_completion.d"
  def testpath = TESTPATH
  def version = self.class.values[:version]
  def system(*words) = Kernel.system(*words.map(&:to_s)) || abort("failed: #{words.join(" ")}")
  def shell_output(command)
    output, status = Open3.capture2(command)
    status.success? ? output : abort("failed: #{command}\n#{output}")
  end
  def assert_equal(wanted, found) = wanted == found || abort("not #{wanted}: #{found}")
  def assert_match(wanted, found) = found.match?(wanted) || abort("not #{wanted}: #{found}")
  def assert_path_exists(path) = path.exist? || abort("not there: #{path}")
end

load path
%i[desc homepage version license url sha256].each { |name| $formula.values[name] || abort("no #{name}") }
archive = Pathname(archives)/File.basename($formula.values[:url])
$formula.values[:sha256] == Digest::SHA256.file(archive).hexdigest || abort("another checksum: #{archive}")
build = Pathname(scratch)/"build"
build.mkpath
Kernel.system("tar", "-xzf", archive.to_s, "-C", build.to_s) || abort("not unpacked: #{archive}")
# Homebrew goes into an archive's only folder.
Dir.chdir(build.children.first) { $formula.new.install }
TESTPATH.mkpath
Dir.chdir(TESTPATH) { $formula.new.instance_eval(&$formula.trial) }
