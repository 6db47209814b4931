#!/usr/bin/env node
import { readFileSync } from "node:fs";

/** Widest line of a help text. */
const MAX_WIDTH = 110;
/** Width where nobody sits in front of it. */
const PIPE_WIDTH = 80;

const version = readVersion();
const [word, ...rest] = process.argv.slice(2);
// Asked for the most often, by tools: answered before anything else is loaded. What cannot be written is told by the
// program itself.
const answer = rest.length === 0 ? answerTo(word) : undefined;
void start();

async function start(): Promise<void> {
  if (answer !== undefined && (await isWritten(answer))) return;
  const { main } = await import("./main.ts");
  await main({ version, assetDirectory: import.meta.dirname });
}

function answerTo(asked: string | undefined): string | undefined {
  if (asked === "--version" || asked === "-V") return `${version}\n`;
  return asked === "--help" || asked === "-h" ? readHelp() : undefined;
}

/** The help as it was printed when this was built, for terminals of the usual widths. */
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
