// @ts-check
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Rounds with one shell call, compared with a turn without any. */
export const ROUNDS = 100;

const ROOT = resolve(import.meta.dirname, "../../../..");
const PEERS = resolve(import.meta.dirname, "../../cli-peers/node_modules/.bin");
const KEY = "a-key-of-nobody";

/**
 * A command that works on one prompt.
 * @typedef {object} Contender
 * @property {string} name
 * @property {(place: { home: string, url: string }) => readonly string[]} prepare writes its configuration into its
 * home folder, and returns its arguments
 * @property {Readonly<Record<string, string>>} env
 * @property {(command: string) => { name: string, arguments: Record<string, unknown> }} shell the call of its tool for
 * commands
 */

/** @param {string} home @param {string} path @param {string} text */
function write(home, path, text) {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

/** @type {Readonly<Record<"ours" | "codex" | "pi" | "bare", Contender>>} */
export const CONTENDERS = {
  ours: {
    name: "switchyard run",
    prepare: ({ url }) => [
      ...[process.execPath, join(ROOT, "apps/cli/dist/bin.cjs"), "run", "--model", "openai-compatible/m"],
      ...["--base-url", `${url}/v1`, "--env", "local", "--json"],
    ],
    env: {},
    shell: (command) => ({ name: "shell", arguments: { command } }),
  },
  codex: {
    name: "codex exec, by its launcher",
    prepare({ home, url }) {
      write(
        home,
        ".codex/config.toml",
        `model = "gpt-5.5"\nmodel_provider = "bench"\ncheck_for_update_on_startup = false
[model_providers.bench]\nname = "bench"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "BENCH_KEY"
[analytics]\nenabled = false\n`,
      );
      const flags = ["--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"];
      return [join(PEERS, "codex"), "exec", ...flags];
    },
    env: { BENCH_KEY: KEY },
    shell: (cmd) => ({ name: "exec_command", arguments: { cmd } }),
  },
  pi: {
    name: "pi",
    prepare({ home, url }) {
      const provider = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: KEY, models: [{ id: "m" }] };
      write(home, ".pi/agent/models.json", JSON.stringify({ providers: { bench: provider } }));
      return [join(PEERS, "pi"), "--mode", "json", "--provider", "bench", "--model", "m"];
    },
    env: { PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" },
    shell: (command) => ({ name: "bash", arguments: { command } }),
  },
  bare: {
    name: "a request by the AI SDK and a spawn, nothing else",
    prepare: ({ url }) => [process.execPath, join(import.meta.dirname, "bare-rounds-process.mjs"), url],
    env: {},
    shell: (command) => ({ name: "shell", arguments: { command } }),
  },
};

const DONE = { text: "Done." };

/** Responses of the model in each case: immediately, or after this many rounds. */
export const SCRIPT = {
  turn: [DONE],
  ...Object.fromEntries(
    Object.entries(CONTENDERS).map(([id, { shell }]) => [
      `rounds-${id}`,
      [...Array.from({ length: ROUNDS }, (_, round) => ({ calls: [shell(`echo round ${round}`)] })), DONE],
    ]),
  ),
};
