import type { RunStore } from "@switchyard/contracts";
import type { CommandContext, CommandProgress } from "../context/command-context.ts";

/** Time limit for closing the stores of a command, in milliseconds: a broker may be unreachable. */
const CLOSE_MS = 2_000;

/**
 * Opened stores of each command. The key is the command's `progress` object, because all copies of the command's
 * context share this object.
 */
const opened = new WeakMap<CommandProgress, RunStore[]>();

/** Registers a store that is closed when its command has ended. Returns the store. */
export function closeWithCommand({ progress }: CommandContext, store: RunStore): RunStore {
  opened.set(progress, [...(opened.get(progress) ?? []), store]);
  return store;
}

/**
 * Closes the stores that a command has opened. Stops waiting for a store that cannot be closed in time; the end of the
 * process closes its connections.
 */
export async function closeStores({ progress }: CommandContext): Promise<void> {
  const stores = opened.get(progress) ?? [];
  if (stores.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_MS);
  });
  await Promise.race([Promise.allSettled(stores.map((store) => store.close())), late]);
  clearTimeout(timer);
}
