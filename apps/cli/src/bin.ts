#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  type CodeCache,
  codeCachePath,
  loadProgram,
  openCodeCache,
  optimizeLater,
  trustCertificates,
  underUsualSettings,
} from "@switchyard/program-loader";
import { findHomeFolder } from "./context/home-folder.ts";
import type { ProgramFacts } from "./context/open-process-context.ts";

/** Maximum width of help texts, in columns. */
const MAX_WIDTH = 110;
/** Width of help texts if standard output is not a terminal, in columns. */
const PIPE_WIDTH = 80;

const version = readVersion();
const [word, ...rest] = process.argv.slice(2);
// Tools request the version and the help often, so both are printed before anything else is loaded.
// If writing fails, the full program starts and reports the error.
const answer = rest.length === 0 ? answerTo(word) : undefined;
void start();

async function start(): Promise<void> {
  if (answer !== undefined && (await isWritten(answer))) return;
  trustCertificates(process.env);
  const file = join(import.meta.dirname, "main.cjs");
  const cache = openCache(file);
  optimizeLater();
  process.once("exit", () => underUsualSettings(() => cache?.save()));
  const program: unknown = loadProgram(file, cache);
  if (!isProgram(program)) throw new TypeError(`${file} is not the program`);
  await program.main({ version, assetDirectory: import.meta.dirname, importModule });
}

/** Imports a module. Defined in this file because code that is loaded from the code cache cannot use `import()`. */
function importModule(path: string): Promise<unknown> {
  return import(pathToFileURL(path).href);
}

function isProgram(value: unknown): value is { main(facts: ProgramFacts): Promise<never> } {
  return typeof value === "object" && value !== null && "main" in value && typeof value.main === "function";
}

/** Opens the code cache of this build in the user's cache folder. */
function openCache(file: string): CodeCache | undefined {
  const { NODE_DISABLE_COMPILE_CACHE: isOff = "", XDG_CACHE_HOME: base = "" } = process.env;
  if (isOff !== "") return undefined;
  const home = findHomeFolder();
  const caches = isAbsolute(base) ? base : home === undefined ? undefined : join(home, ".cache");
  return caches === undefined ? undefined : openCodeCache(codeCachePath(join(caches, "switchyard", "code"), file));
}

function answerTo(asked: string | undefined): string | undefined {
  if (asked === "--version" || asked === "-V") return `${version}\n`;
  return asked === "--help" || asked === "-h" ? readHelp() : undefined;
}

/** Reads the help text that was rendered for this terminal width when the program was built. */
function readHelp(): string | undefined {
  const width = Math.min(process.stdout.columns ?? PIPE_WIDTH, MAX_WIDTH);
  try {
    return readFileSync(new URL(`./help/${width}.txt`, import.meta.url), "utf8");
  } catch {
    return undefined;
  }
}

function isWritten(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EPIPE"));
    process.stdout.write(text, (error) => {
      if (error === undefined || error === null) resolve(true);
    });
  });
}

function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const found =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  return typeof found === "string" ? found : "unknown";
}
