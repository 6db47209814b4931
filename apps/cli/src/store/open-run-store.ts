import { join } from "node:path";
import type { RunStore } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { closeWithCommand } from "./opened-stores.ts";

/** Options that select where runs are stored. */
export interface StoreOptions {
  /** Folder that stores runs. If a broker stores the runs, the folder contains only their local files. */
  state?: string;
  /** URL of a message broker that stores runs instead of the folder: `nats://HOST:PORT/NAME`. */
  store?: string;
}

/** Help text of the option `--store`. */
export const STORE_HELP = "broker that stores runs instead of the folder: nats://HOST:PORT/NAME";

/**
 * Opens the run store of a broker, which is closed when the command has ended. `undefined` if no broker is named. Rejects
 * with `config.invalid` and `broker.*`.
 */
export async function openBrokerStore(
  context: CommandContext,
  { state, store }: StoreOptions,
): Promise<RunStore | undefined> {
  if (store === undefined) return undefined;
  const { openNatsStore, parseBrokerAddress } = await import("@switchyard/stores/nats");
  const broker = parseBrokerAddress(store, context, "--store");
  const filesDirectory = join(stateDirectory(context, state), "runs");
  return closeWithCommand(context, await openNatsStore({ ...broker, filesDirectory }));
}

/**
 * Opens the run store that the options select: a message broker or a state folder. Rejects with `config.invalid` and
 * `broker.*`.
 */
export async function openRunStore(context: CommandContext, options: StoreOptions): Promise<RunStore> {
  return (
    (await openBrokerStore(context, options)) ?? openFileStore({ directory: stateDirectory(context, options.state) })
  );
}
