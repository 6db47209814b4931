import { join } from "node:path";
import type { RunStore } from "@switchyard/contracts";
import { openFileStore } from "@switchyard/stores/file";
import type { CommandContext } from "../context/command-context.ts";
import { stateDirectory } from "../run/state-directory.ts";
import { parseBrokerAddress } from "./broker-address.ts";

/** Where runs are kept. */
export interface StoreOptions {
  /** Folder with the run folders, and with the files of runs that are kept elsewhere. */
  state?: string;
  /** Broker that keeps them in place of the folder: `nats://HOST:PORT/NAME`. */
  store?: string;
}

/** Words for help texts. */
export const STORE_HELP = "broker that keeps runs in place of the folder: nats://HOST:PORT/NAME";

/** Opens the runs of a broker; nothing where none is named. Rejects with `config.invalid` and `broker.*`. */
export async function openBrokerStore(
  context: CommandContext,
  { state, store }: StoreOptions,
): Promise<RunStore | undefined> {
  if (store === undefined) return undefined;
  const broker = parseBrokerAddress(context, store, "--store");
  const { openNatsStore } = await import("@switchyard/stores/nats");
  return await openNatsStore({ ...broker, filesDirectory: join(stateDirectory(context, state), "runs") });
}

/** Opens the runs that the options name: of a broker, or of a state folder. Rejects with `config.invalid` and `broker.*`. */
export async function openRunStore(context: CommandContext, options: StoreOptions): Promise<RunStore> {
  return (
    (await openBrokerStore(context, options)) ?? openFileStore({ directory: stateDirectory(context, options.state) })
  );
}
