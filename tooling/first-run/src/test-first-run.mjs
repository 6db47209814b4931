// @ts-check
// `pnpm test:first-run [STAGE …]`: plays a newcomer with an empty home folder. It clones this repository and runs the
// commands that README and tutorials show, and only those. The model is simulated. Needs bash, git, npm and curl.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { markdownBlocks } from "@switchyard/checks/markdown-blocks";
import { reportOutcome } from "@switchyard/suite/result-line";
import { STAGES } from "./stages.mjs";

/** @import { Stage } from "./stages.mjs" */

/** Time limit of a stage, in milliseconds. */
const STAGE_MS = 20 * 60_000;
/** Placeholder in the documents that a reader replaces with a key. */
const PLACEHOLDER = "…";

const root = resolve(import.meta.dirname, "../../..");
const home = mkdtempSync(join(tmpdir(), "switchyard-newcomer-"));
const clone = join(home, "switchyard");
const model = spawn(process.execPath, [join(import.meta.dirname, "simulated-model.mjs")], {
  stdio: ["pipe", "pipe", "inherit"],
});
try {
  const [port] = await once(model.stdout, "data");
  const env = newcomerVariables(`http://127.0.0.1:${Number(port)}/v1`);
  spawnSync("git", ["clone", "--quiet", "--local", root, clone], { stdio: "inherit" });
  const wanted = process.argv.slice(2);
  const stages = STAGES.filter(({ name }) => name === "install" || wanted.length === 0 || wanted.includes(name));
  const problems = stages.flatMap((stage) => play(stage, env));
  reportOutcome({ problems, passed: stages.length - problems.length });
} finally {
  model.kill();
  rmSync(home, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * Returns the variables of an account that has nothing but Node, npm and git. Only npm's settings and caches are those of
 * the real user, so that nothing has to be downloaded again.
 * @param {string} baseUrl
 * @returns {NodeJS.ProcessEnv}
 */
function newcomerVariables(baseUrl) {
  const prefix = join(home, "npm");
  mkdirSync(prefix);
  const npm = Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(registry|cache|cafile)|NODE_EXTRA_CA_CERTS)$/i.test(name),
  );
  return {
    ...Object.fromEntries(npm),
    PATH: [join(prefix, "bin"), process.env["PATH"]].join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    npm_config_prefix: prefix,
    npm_config_userconfig: process.env["npm_config_userconfig"] ?? join(homedir(), ".npmrc"),
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    ANTHROPIC_BASE_URL: baseUrl,
    OPENAI_BASE_URL: baseUrl,
  };
}

/**
 * Runs the commands of a stage. Returns its problems.
 * @param {Stage} stage
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
function play({ name, document, sections, folder }, env) {
  const text = readFileSync(join(clone, document), "utf8");
  const parts = sections?.map((heading) => sectionOf(text, heading)) ?? [text];
  const blocks = parts.map(commandsOf);
  const missing = (sections ?? [document]).filter((_, index) => blocks[index]?.length === 0);
  if (missing.length > 0) return [`${name}: ${document} shows no commands in ${missing.join(", ")}.`];
  const cwd = folder === "clone" ? clone : mkdtempSync(join(home, `${name.replaceAll(" ", "-")}-`));
  const script = blocks.flat().join("\n").replaceAll(PLACEHOLDER, "simulated-key");
  const startedAt = Date.now();
  // Commands that the text starts in the background end with the stage.
  const ended = spawnSync(
    "bash",
    ["-euo", "pipefail", "-c", `trap 'kill $(jobs -p) 2>/dev/null || true; wait' EXIT\n${script}`],
    {
      ...{ cwd, env, encoding: "utf8", timeout: STAGE_MS, killSignal: "SIGKILL" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
  console.log(
    `${name.padEnd(18)}${minutes.padStart(6)} min  ${document}${sections === undefined ? "" : `: ${sections.join(", ")}`}`,
  );
  if (ended.status === 0) return [];
  return [`${name}: exit code ${ended.status ?? ended.signal} of\n${script}\n${ended.stdout}${ended.stderr}`];
}

/**
 * Returns a section and its subsections, or an empty text.
 * @param {string} text
 * @param {string} heading
 * @returns {string}
 */
function sectionOf(text, heading) {
  return text.split(/^(?=## )/m).find((one) => one.startsWith(`## ${heading}\n`)) ?? "";
}

/**
 * Returns the shell commands that a text shows.
 * @param {string} text
 * @returns {string[]}
 */
function commandsOf(text) {
  return markdownBlocks(text)
    .filter(({ language }) => language === "sh")
    .map(({ code }) => code);
}
