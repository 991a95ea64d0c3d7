// vscode_check.js [FOLDER NAME]: without arguments the names of the checks, a line each; else the one of that name, on
// the extension in a folder. Stand-ins take the places of `vscode` and of its language client, which starts the program
// as the real one does: without a shell, and with nothing added to its arguments.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
const os = require("node:os");
const path = require("node:path");

const [folder, wanted] = process.argv.slice(2);

/** An editor, as far as the extension asks it for anything. */
class Editor {
  settings = { path: "schemagen" };
  commands = {};
  clients = [];
  messages = [];
  done = [];
  choice = undefined;
  listeners = [];

  constructor() {
    this.workspace = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "vscode-check.")));
  }

  /** A program that writes down how it was called, and ends with its input, or at once with a status. */
  program(name, status) {
    const file = path.join(this.workspace, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    const rest = status === undefined ? "cat >/dev/null" : `exit ${status}`;
    fs.writeFileSync(file, `#!/bin/sh\necho "$0 $* in $(pwd -P)" >>"${this.workspace}/calls"\n${rest}\n`);
    fs.chmodSync(file, 0o755);
    return file;
  }

  get calls() {
    const file = path.join(this.workspace, "calls");
    return fs.existsSync(file) ? fs.readFileSync(file, "utf8").trim().split("\n") : [];
  }

  get vscode() {
    const editor = this;
    return {
      commands: {
        registerCommand: (name, run) => ((editor.commands[name] = run), { dispose() {} }),
        executeCommand: async (...words) => void editor.done.push(words),
      },
      env: { openExternal: async (uri) => void editor.done.push(["open", uri]) },
      Uri: { parse: (text) => text },
      window: {
        showErrorMessage: async (...words) => {
          editor.messages.push(words);
          return editor.choice;
        },
      },
      workspace: {
        workspaceFolders: [{ uri: { fsPath: editor.workspace } }],
        getConfiguration: (section) => ({
          get: (key) => (assert.equal(section, "schemagen"), editor.settings[key]),
        }),
        onDidChangeConfiguration: (listener) => (editor.listeners.push(listener), { dispose() {} }),
      },
    };
  }

  get languageClient() {
    const editor = this;
    class LanguageClient {
      constructor(id, name, server, options) {
        Object.assign(this, { id, name, server, options, stops: 0 });
        editor.clients.push(this);
      }
      start() {
        const { command, args, options } = this.server;
        this.process = spawn(command, args, { ...options, stdio: ["pipe", "ignore", "ignore"] });
        return new Promise((resolve, reject) => {
          this.process.on("error", (error) => reject(`Launching server using command ${command} failed. ${error}`));
          this.process.on("exit", (code) => reject(new Error(`it ended with status ${code}`)));
          setTimeout(resolve, 300);
        });
      }
      stop() {
        this.stops += 1;
        return new Promise((resolve) => {
          this.process.on("exit", resolve);
          this.process.stdin.end();
        });
      }
    }
    return { LanguageClient };
  }

  /** The extension, loaded anew. */
  extension() {
    const load = Module._load;
    Module._load = (name, ...rest) =>
      name === "vscode"
        ? this.vscode
        : name === "vscode-languageclient/node"
          ? this.languageClient
          : load(name, ...rest);
    const file = path.resolve(folder, "extension.js");
    delete require.cache[file];
    const extension = require(file);
    this.context = {
      subscriptions: [],
      extension: { packageJSON: JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")) },
    };
    return extension;
  }

  async change(key) {
    for (const listener of this.listeners) await listener({ affectsConfiguration: (name) => name === key });
  }
}

const checks = {
  async "it starts 'schemagen serve' from the PATH, in the workspace"() {
    const editor = new Editor();
    editor.program("bin/schemagen");
    process.env.PATH = path.join(editor.workspace, "bin") + path.delimiter + process.env.PATH;
    const extension = editor.extension();
    await extension.activate(editor.context);
    assert.deepEqual(editor.messages, []);
    assert.equal(editor.clients.length, 1);
    assert.deepEqual(editor.calls, [`${editor.workspace}/bin/schemagen serve in ${editor.workspace}`]);
    assert.equal(editor.clients[0].server.transport, undefined);
    const selector = editor.clients[0].options.documentSelector;
    assert.deepEqual(selector.map((one) => one.language), ["yaml", "swift"]);
    assert.ok(selector.every((one) => one.scheme === "file"));
    await extension.deactivate();
    assert.equal(editor.clients[0].stops, 1);
    assert.notEqual(editor.clients[0].process.exitCode, null);
  },
  async "a path in the setting begins in the workspace"() {
    const editor = new Editor();
    editor.program(".build/debug/schemagen");
    editor.settings.path = ".build/debug/schemagen";
    const extension = editor.extension();
    await extension.activate(editor.context);
    assert.deepEqual(editor.calls, [`${editor.workspace}/.build/debug/schemagen serve in ${editor.workspace}`]);
    await extension.deactivate();
  },
  async "a missing program: a message with a way out"() {
    for (const [setting, shown] of [["schemagen-that-is-nowhere", "schemagen-that-is-nowhere"], ["no/such", "WORKSPACE/no/such"], ["~/no-such", `${os.homedir()}/no-such`], ["./folder", "WORKSPACE/folder"]]) {
      const editor = new Editor();
      fs.mkdirSync(path.join(editor.workspace, "folder"));
      editor.settings.path = setting;
      const extension = editor.extension();
      await extension.activate(editor.context);
      const name = shown.replace("WORKSPACE", editor.workspace);
      assert.deepEqual(editor.messages, [[
        `schemagen: there is no program '${name}': install it, or set its path in 'schemagen.path'`,
        "Open Settings", "How to Install",
      ]]);
      assert.equal(editor.clients.length, 0);
      await extension.deactivate();
    }
  },
  async "the message's buttons open the setting and the page"() {
    for (const [choice, done] of [
      ["Open Settings", ["workbench.action.openSettings", "schemagen.path"]],
      ["How to Install", ["open", "https://github.com/OWNER/schemagen#install"]],
    ]) {
      const editor = new Editor();
      editor.settings.path = "no/such";
      editor.choice = choice;
      const extension = editor.extension();
      editor.context.extension.packageJSON.homepage = "https://github.com/OWNER/schemagen#install";
      await extension.activate(editor.context);
      await new Promise(setImmediate);
      assert.deepEqual(editor.done, [done]);
    }
  },
  async "a program that cannot serve: its error, and the way out"() {
    const editor = new Editor();
    editor.program("old/schemagen", 2);
    editor.settings.path = "old/schemagen";
    const extension = editor.extension();
    await extension.activate(editor.context);
    assert.equal(editor.messages.length, 1);
    assert.equal(
      editor.messages[0][0],
      `schemagen: '${editor.workspace}/old/schemagen serve' does not start: it ended with status 2`);
    await extension.deactivate();
    assert.equal(editor.clients[0].stops, 0);
  },
  async "its command and its setting start the server again, others do not"() {
    const editor = new Editor();
    editor.program("a/schemagen");
    editor.program("b/schemagen");
    editor.settings.path = "a/schemagen";
    const extension = editor.extension();
    await extension.activate(editor.context);
    await editor.change("editor.fontSize");
    assert.equal(editor.clients.length, 1);
    await editor.commands["schemagen.restart"]();
    editor.settings.path = "b/schemagen";
    // Twice at once, as a person types: one server is left.
    await Promise.all([editor.change("schemagen.path"), editor.change("schemagen.path")]);
    await editor.commands["schemagen.restart"]();
    assert.deepEqual(editor.clients.map((client) => client.stops), [1, 1, 1, 1, 0]);
    assert.equal(editor.calls.at(-1), `${editor.workspace}/b/schemagen serve in ${editor.workspace}`);
    await extension.deactivate();
    assert.equal(editor.clients.at(-1).stops, 1);
  },
  async "deactivate while the server starts stops it"() {
    const editor = new Editor();
    editor.program("a/schemagen");
    editor.settings.path = "a/schemagen";
    const extension = editor.extension();
    const starting = extension.activate(editor.context);
    await extension.deactivate();
    await starting;
    assert.deepEqual(editor.clients.map((client) => client.stops), [1]);
  },
  async "deactivate before it was ever active"() {
    await new Editor().extension().deactivate();
  },
  async "package.json promises what is there"() {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
    const editor = new Editor();
    editor.settings.path = "no/such";
    await editor.extension().activate(editor.context);
    for (const key of ["name", "publisher", "displayName", "description", "license", "homepage", "repository"]) {
      assert.ok(manifest[key], key);
    }
    assert.match(manifest.name, /^[a-z0-9][a-z0-9-]*$/);
    assert.match(manifest.version, /^\d+\.\d+\.\d+$/);
    assert.match(manifest.engines.vscode, /^\^\d+\.\d+\.\d+$/);
    // vscode-languageclient 9 asks for it.
    assert.deepEqual(manifest.dependencies, { "vscode-languageclient": "^9.0.1" });
    assert.ok(Number(manifest.engines.vscode.split(".")[1]) >= 82);
    assert.ok(fs.existsSync(path.join(folder, manifest.main)));
    assert.ok(manifest.activationEvents.length > 0);
    assert.ok(manifest.activationEvents.every((event) => event.startsWith("workspaceContains:")));
    assert.deepEqual(
      manifest.contributes.commands.map((command) => command.command).sort(), Object.keys(editor.commands).sort());
    const settings = manifest.contributes.configuration.properties;
    assert.deepEqual(Object.keys(settings), Object.keys(editor.settings).map((key) => `schemagen.${key}`));
    for (const [name, setting] of Object.entries(settings)) {
      assert.ok(setting.type && setting.markdownDescription && setting.scope, name);
      assert.equal(setting.default, "schemagen");
    }
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, false);
    for (const one of manifest.contributes.yamlValidation) {
      assert.ok(one.fileMatch.endsWith(".yaml"));
      JSON.parse(fs.readFileSync(path.join(folder, one.url), "utf8"));
    }
  },
};

if (!wanted) {
  console.log(Object.keys(checks).join("\n"));
} else {
  // A promise that nothing waits for any more would end the program with 0.
  process.exitCode = 1;
  checks[wanted]().then(
    () => process.exit(0),
    (error) => {
      console.error(error);
      process.exit(1);
    });
}
