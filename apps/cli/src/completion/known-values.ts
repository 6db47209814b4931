import { type KnownValues, type KnownWord, NO_VALUES, type ValueSources } from "@switchyard/terminal";
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

/** Option values that are the same on every machine, by the option's long name. */
const VALUES: Readonly<Record<string, readonly KnownWord[]>> = {
  "--env": PLACES,
  "--env-network": [
    ["none", "no network"],
    ["allow", "the network of this machine"],
    ["list:registries", "public package registries only"],
    ["list:git-hosts", "public git hosts only"],
  ],
  "--web-search": [
    ["brave", "Brave Search, with BRAVE_API_KEY"],
    ["tavily", "Tavily, with TAVILY_API_KEY"],
    ["searxng:", "a SearXNG instance"],
  ],
  "--reasoning-effort": ["low", "medium", "high"].map((effort) => [effort, ""]),
};

/** Returns the sources of completion candidates. Unreadable sources yield no candidates. */
export function valueSources(context: CommandContext): ValueSources {
  return {
    valuesOfOption: async ({ argChoices, long = "", flags }) => {
      const words = argChoices?.map((choice): KnownWord => [choice, ""]) ?? VALUES[long];
      if (words !== undefined) return wordsOnly(words);
      if (long === "--engine") return { files: "files", words: await engines() };
      return long === "--model" ? wordsOnly(await models()) : byPlaceholder(context, flags);
    },
    valuesOfArgument: async (argument) => {
      if (argument.argChoices !== undefined) return wordsOnly(argument.argChoices.map((choice) => [choice, ""]));
      return byPlaceholder(context, `<${argument.name()}>`);
    },
  };
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
