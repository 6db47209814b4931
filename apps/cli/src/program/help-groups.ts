import type { Command } from "commander";

/** Groups of commands in help texts, in the order in which they are shown. */
const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Run agents:": ["run", "chat", "resume", "undo", "runs", "replay", "eval"],
  "Set up:": ["demo", "init", "config", "trust", "models", "engines", "doctor", "completion"],
  "Serve:": ["serve", "acp", "mcp", "budget"],
  "Queues and runtime packages:": ["fanout", "worker", "cluster", "runtimes"],
  "Build engines and tools:": ["verify", "validate", "contract", "tools"],
};

/** Groups of options in the help of commands with many options. Options that belong to no group are shown first. */
const OPTION_GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Network and access:": ["host", "port", "tokens", "allow-host", "trust-proxy", "max-connections", "max-body"],
  "Queue and retention:": [
    ...["queue", "max-queue", "max-queue-per-owner", "max-runs-per-owner", "max-runs-per-day", "rate-limit"],
    ...["owners", "resume-on-start", "keep", "keep-runs", "keep-size"],
  ],
  "Webhooks:": ["webhook-secret", "webhook-private"],
  "Model:": ["fallback-model", "allow-model", "base-url", "api-key", "direct", "reasoning-effort"],
  "Permissions:": ["approve", "allow", "deny", "ask-user", "no-ask-user", "trust-workspace", "allow-git-push"],
  "Limits and retries:": [
    ...["max-turns", "timeout", "max-tokens", "max-cost", "retry-for", "max-attempts", "max-retry-wait"],
    "budgets",
  ],
  "Tools:": ["web", "web-search", "mcp-config", "mcp-wait", "tool-names"],
  "Environment and workspace:": [
    ...["env", "env-network", "env-memory", "env-user", "worktree", "worktree-submodules", "share-workspace"],
    "keep-workspaces",
  ],
  "Input and output:": ["image", "input", "output", "output-schema", "events", "json", "keep-raw-output"],
  "Stored runs:": ["from", "state", "store"],
};

/** Group of commands that belong to no other group. */
export const OTHER_COMMANDS = "Other commands:";

/** Maximum number of options that the help of a command shows in one list, without groups. */
const MAX_UNGROUPED = 12;

const ORDER = [
  ...["Options:", "Commands:"],
  ...Object.keys(COMMAND_GROUPS),
  ...Object.keys(OPTION_GROUPS),
  OTHER_COMMANDS,
];

/** Arranges the subcommands of the program in groups, and the options of a command if it has many. */
export function arrangeHelp(command: Command, path: string): void {
  if (path === "") {
    for (const child of command.commands) child.helpGroup(groupOf(child.name(), COMMAND_GROUPS) ?? OTHER_COMMANDS);
  }
  if (command.options.length > MAX_UNGROUPED) {
    for (const option of command.options) {
      const heading = groupOf(option.long?.replace(/^--/, "") ?? "", OPTION_GROUPS);
      if (heading !== undefined) option.helpGroup(heading);
    }
  }
}

/**
 * Groups the items of a help text in the order of this module's tables, regardless of the order in which they were
 * declared.
 */
export function groupInOrder<Item>(
  _all: readonly Item[],
  shown: readonly Item[],
  groupOfItem: (item: Item) => string,
): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of shown) {
    const heading = groupOfItem(item);
    groups.set(heading, [...(groups.get(heading) ?? []), item]);
  }
  const rank = (heading: string): number => (ORDER.includes(heading) ? ORDER.indexOf(heading) : ORDER.length);
  return new Map([...groups].sort(([left], [right]) => rank(left) - rank(right)));
}

function groupOf(name: string, groups: Readonly<Record<string, readonly string[]>>): string | undefined {
  return Object.entries(groups).find(([, names]) => names.includes(name))?.[0];
}
