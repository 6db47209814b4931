import picocolors from "picocolors";
import type { TextOutput } from "../streams/terminal.ts";
import { cutToWidth, displayWidth } from "../text/display-width.ts";
import { neutraliseControls } from "../text/neutralise-controls.ts";
import { wrapLine } from "../text/wrap-line.ts";

/** Facts about a run that are shown before it starts. */
export interface RunHeader {
  /** Model of the run. `undefined` if the engine chooses it. */
  readonly model?: string | undefined;
  /** List prices of the model, in US dollars per million tokens. `undefined` if they are unknown. */
  readonly prices?: { readonly input?: number | undefined; readonly output?: number | undefined } | undefined;
  /** Why this model is used and how to change it. `undefined` if the command line names the model. */
  readonly modelReason?: string | undefined;
  /** Name of the engine. */
  readonly engine: string;
  /** How the engine reaches models, such as `gateway`. `undefined`: the header does not mention it. */
  readonly modelAccess?: string | undefined;
  /** Name of the environment. */
  readonly environment: string;
  /** Network access of commands. */
  readonly network: string;
  /** Which calls need the user's approval, and how to change that. */
  readonly permissions: readonly string[];
  /** Folder that the run works in. */
  readonly folder: string;
  /** Id of the run. */
  readonly runId: string;
}

const SEPARATOR = " · ";
/** Width of the labels, in columns. */
const LABEL_COLUMNS = 8;
/** Minimum width of a shortened folder path, in columns. In a narrower terminal, the id is on a separate line. */
const MIN_FOLDER_COLUMNS = 24;

function engineFacts({ engine, modelAccess, environment, network }: RunHeader): string[] {
  const access = modelAccess === undefined ? [] : [`model access: ${modelAccess}`];
  return [engine, ...access, `environment ${environment}`, network];
}

/**
 * Prints the header of a run: at most six lines if the terminal has at least 80 columns. Control characters in the
 * facts are made visible.
 */
export function printRunHeader(output: TextOutput, header: RunHeader): void {
  const { dim } = picocolors.createColors(output.hasColour);
  const room = output.columns - LABEL_COLUMNS;
  const rows: [string, string[]][] = [
    ["model", modelLines(header, room)],
    ["engine", pack(engineFacts(header), room).slice(0, 2)],
    ["mode", [cutToWidth(header.permissions.join(SEPARATOR), room)]],
    ["folder", placeLines(header, room)],
  ];
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, index) => dim((index === 0 ? label : "").padEnd(LABEL_COLUMNS)) + neutraliseControls(text)),
  );
  output.write(`${lines.join("\n")}\n\n`);
}

function modelLines({ model, prices, modelReason, engine }: RunHeader, room: number): string[] {
  if (model === undefined) return [`chosen by ${engine}`];
  const reason = modelReason === undefined ? [] : pack([modelReason], room);
  const [long, short] = [priceText(prices, "per 1M tokens"), priceText(prices, "per 1M")];
  const line = pack([model, long], room);
  return [...(line.length === 1 ? line : pack([model, short], room)), ...reason];
}

/** Shows the folder and the id of the run in one line. The start of a long folder is omitted. */
function placeLines({ folder, runId }: RunHeader, room: number): string[] {
  const run = `${SEPARATOR}run ${runId}`;
  const free = room - displayWidth(run);
  const shown = neutraliseControls(folder);
  if (displayWidth(shown) <= free) return [shown + run];
  if (free < MIN_FOLDER_COLUMNS) return [cutToWidth(shown, room), `run ${runId}`];
  let end = shown;
  while (displayWidth(end) >= free) end = end.slice(1);
  return [`…${end}${run}`];
}

function priceText(prices: RunHeader["prices"], unit: string): string {
  if (prices?.input === undefined || prices.output === undefined) return "price unknown";
  return `$${prices.input} in, $${prices.output} out ${unit}`;
}

/** Joins texts to as few lines as possible. A text that is too long is wrapped. */
function pack(texts: readonly string[], room: number): string[] {
  const lines: string[] = [];
  for (const text of texts) {
    const last = lines.at(-1);
    const joined = last === undefined ? text : `${last}${SEPARATOR}${text}`;
    if (last !== undefined && displayWidth(joined) <= room) lines[lines.length - 1] = joined;
    else lines.push(...wrapLine(text, room));
  }
  return lines;
}
