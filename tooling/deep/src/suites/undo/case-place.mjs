// @ts-check
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { GIT_CONFIG, MAKE_TEMPLATES, SCRIPT_FUNCTIONS } from "./script-functions.mjs";

/** @typedef {Record<string, string | undefined>} Variables */

const execute = promisify(execFile);
const MAX_OUTPUT = 2 ** 26;

/** Local folder for cases, with a home folder and templates that cases copy. */
export class CasePlace {
  /** @type {string} */
  #base;
  /** @type {Variables} */
  env;

  /**
   * @param {string} base
   * @param {Variables} env
   */
  constructor(base, env) {
    this.#base = base;
    this.env = env;
  }

  /** Creates one in a temporary folder. */
  static async make() {
    const base = await mkdtemp(join(tmpdir(), "switchyard-undo-"));
    const [home, templates] = [join(base, "home"), join(base, "templates")];
    await mkdir(home);
    await mkdir(templates);
    await writeFile(join(home, ".gitconfig"), GIT_CONFIG);
    const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1", LC_ALL: "C", TEMPLATES: templates };
    await execute("sh", ["-c", MAKE_TEMPLATES], { cwd: templates, env });
    return new CasePlace(base, env);
  }

  /** @param {number} index */
  folder(index) {
    return join(this.#base, String(index));
  }

  /**
   * Writes a script that can use `$TEMPLATES`, with one character per byte, because process arguments must be UTF-8.
   * @param {string} file
   * @param {string} script
   * @returns {Promise<void>}
   */
  async writeScript(file, script) {
    await writeFile(file, `TEMPLATES='${this.env["TEMPLATES"]}'\n${SCRIPT_FUNCTIONS}${script}\ntrue\n`, "latin1");
  }

  /**
   * Runs a script and resolves with its output. A failing command does not end it.
   * @param {string} file
   * @param {string} cwd
   * @returns {Promise<string>}
   */
  async runScript(file, cwd) {
    const { stdout } = await execute("sh", [file], { cwd, env: this.env, maxBuffer: MAX_OUTPUT, encoding: "latin1" });
    return stdout;
  }

  /** @returns {Promise<void>} */
  async remove() {
    await rm(this.#base, { recursive: true, force: true, maxRetries: 3 });
  }
}
