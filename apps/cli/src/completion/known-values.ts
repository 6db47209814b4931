import {
  type CompletableArgument,
  type CompletableOption,
  type KnownValues,
  type KnownWord,
  NO_VALUES,
  type ValueSources,
} from "@switchyard/terminal";
import type { CommandContext } from "../context/command-context.ts";

/** Maximum number of run ids offered as completions, newest first. */
const MAX_RUNS = 50;

const PLACES: readonly KnownWord[] = [
  ["local", "this machine, as your user"],
  ["sandbox", "this machine, with writes confined to the workspace"],
  ["memory", "a copy of the workspace in memory"],
  ["docker:", "a container made from an image"],
  ["docker:@", "a running container"],
  ["ssh:", "another machine"],
  ["k8s:", "a pod made from an image"],
  ["k8s:@", "a running pod"],
];

/** Returns the sources of completion candidates. Unreadable sources yield no candidates. */
export function valueSources(context: CommandContext): ValueSources {
  return {
    valuesOfOption: (option) => valuesOfOption(context, option),
    valuesOfArgument: (argument) => valuesOfArgument(context, argument),
  };
}

/** Returns the completion candidates for the value of an option. */
async function valuesOfOption(context: CommandContext, option: CompletableOption): Promise<KnownValues> {
  if (option.argChoices !== undefined) return wordsOnly(option.argChoices.map((choice) => [choice, ""]));
  switch (option.long) {
    case "--env":
      return wordsOnly(PLACES);
    case "--engine":
      return { files: "files", words: await engines() };
    case "--model":
      return wordsOnly(await models());
    case "--env-network":
      return wordsOnly([
        ["none", "no network"],
        ["allow", "the network of this machine"],
        ["list:registries", "public package registries only"],
        ["list:git-hosts", "public git hosts only"],
      ]);
    case "--web-search":
      return wordsOnly([
        ["brave", "Brave Search, with BRAVE_API_KEY"],
        ["tavily", "Tavily, with TAVILY_API_KEY"],
        ["searxng:", "a SearXNG instance"],
      ]);
    case "--reasoning-effort":
      return wordsOnly(["low", "medium", "high"].map((effort) => [effort, ""]));
    default:
      return byPlaceholder(context, option.flags);
  }
}

/** Returns the completion candidates for a positional argument. */
async function valuesOfArgument(context: CommandContext, argument: CompletableArgument): Promise<KnownValues> {
  if (argument.argChoices !== undefined) return wordsOnly(argument.argChoices.map((choice) => [choice, ""]));
  return byPlaceholder(context, `<${argument.name()}>`);
}

async function byPlaceholder(context: CommandContext, flags: string): Promise<KnownValues> {
  const [, name = ""] = /[<[]([^>\]]+?)(?:\.\.\.)?[>\]]/.exec(flags) ?? [];
  if (name === "run" || name === "id") return wordsOnly(await runs(context));
  if (name === "environment")
    return wordsOnly(
      PLACES.filter(([word]) => !word.endsWith("@")).map(([word, about]) => [word.replace(":", ""), about]),
    );
  if (name === "folder") return { files: "folders", words: [] };
  return /\b(?:file|module)\b/.test(name) ? { files: "files", words: [] } : NO_VALUES;
}

function wordsOnly(words: readonly KnownWord[]): KnownValues {
  return { files: "none", words };
}

async function engines(): Promise<KnownWord[]> {
  const { ADAPTER_KINDS } = await import("@switchyard/engine-catalog");
  return [["agent", "the built-in agent"], ...ADAPTER_KINDS.map((kind): KnownWord => [kind, "an external agent"])];
}

async function models(): Promise<KnownWord[]> {
  const { MODEL_CATALOG } = await import("@switchyard/llm");
  return MODEL_CATALOG.map(({ provider, id }) => [`${provider}/${id}`, ""]);
}

/**
 * Lists the runs in the user's state folder as completion candidates. Returns none if the run store is unreadable,
 * because completion cannot show errors.
 */
async function runs(context: CommandContext): Promise<KnownWord[]> {
  const [{ openRunStore }, { readUserSettings }] = await Promise.all([
    import("../store/open-run-store.ts"),
    import("@switchyard/settings"),
  ]);
  const config = await readUserSettings(context).catch(() => undefined);
  const state = config?.values.get("state");
  const store = await openRunStore(context, typeof state === "string" ? { state } : {});
  const listed = await store.list().catch(() => []);
  return listed
    .slice(0, MAX_RUNS)
    .map((run) => [run.runId, "problem" in run ? "damaged" : `${run.record.status}: ${run.record.title}`]);
}
