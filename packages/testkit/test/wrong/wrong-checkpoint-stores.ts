import type { Checkpoint } from "@switchyard/contracts";
import type { CheckpointStoreFactory } from "../../src/index.ts";
import {
  type Disk,
  type FullStore,
  simpleCheckpointStore,
  simpleStoreSubject,
} from "../right/simple-checkpoint-store.ts";
import { altered, type Wrong } from "./wrong.ts";

function but(changes: (right: FullStore, disk: Disk) => Partial<FullStore>): CheckpointStoreFactory {
  return () => simpleStoreSubject((store, disk) => altered(store, changes(store, disk)));
}

function saving(change: (checkpoint: Checkpoint) => Checkpoint): CheckpointStoreFactory {
  return but((store) => ({ save: (checkpoint) => store.save(change(checkpoint)) }));
}

function keyed(key: (execId: string) => string): CheckpointStoreFactory {
  return but((store) => ({
    save: (checkpoint) => store.save({ ...checkpoint, execId: key(checkpoint.execId) }),
    load: async (execId) => {
      const found = await store.load(key(execId));
      return found === undefined ? undefined : { ...found, execId };
    },
  }));
}

function throughJson(checkpoint: Checkpoint): Checkpoint {
  return JSON.parse(JSON.stringify(checkpoint));
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Checkpoint stores with one fault each. */
export const wrongCheckpointStores: readonly Wrong<CheckpointStoreFactory>[] = [
  {
    fault: "a missing checkpoint is an error",
    noticedBy: ["checkpoint-store/absent"],
    factory: but((store) => ({
      load: async (execId) => {
        const found = await store.load(execId);
        if (found === undefined) throw new Error("not found");
        return found;
      },
    })),
  },
  {
    fault: "a missing checkpoint is an empty one",
    noticedBy: ["checkpoint-store/absent", "checkpoint-store/delete"],
    factory: but((store) => ({
      load: async (execId) => (await store.load(execId)) ?? { execId, board: { vars: {} }, timestamp: "" },
    })),
  },
  {
    fault: "the first checkpoint stays",
    noticedBy: ["checkpoint-store/newest", "checkpoint-store/concurrent-runs", "checkpoint-store/concurrent-saves"],
    factory: but((store, disk) => ({
      save: async (checkpoint) => {
        if (!disk.has(checkpoint.execId)) await store.save(checkpoint);
      },
    })),
  },
  {
    fault: "the checkpoint of the highest step stays",
    noticedBy: ["checkpoint-store/last-call-wins"],
    factory: but((store) => ({
      save: async (checkpoint) => {
        const stored = await store.load(checkpoint.execId);
        if ((stored?.iteration ?? 0) <= (checkpoint.iteration ?? 0)) await store.save(checkpoint);
      },
    })),
  },
  {
    fault: "a checkpoint is laid over the earlier one",
    noticedBy: ["checkpoint-store/replaced-whole"],
    factory: but((store) => ({
      save: async (checkpoint) => store.save({ ...(await store.load(checkpoint.execId)), ...checkpoint }),
    })),
  },
  {
    fault: "the version of the definition is not kept",
    noticedBy: ["checkpoint-store/all-fields"],
    factory: saving((checkpoint) => ({ ...checkpoint, specVersion: undefined })),
  },
  {
    fault: "checkpoints are kept as JSON",
    noticedBy: ["checkpoint-store/odd-data"],
    factory: saving(throughJson),
  },
  {
    fault: "names are kept on a plain object",
    noticedBy: ["checkpoint-store/odd-variable-names"],
    factory: saving((checkpoint) => {
      const vars: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(checkpoint.board.vars)) vars[name] = value;
      return { ...checkpoint, board: { ...checkpoint.board, vars } };
    }),
  },
  {
    fault: "checkpoints are kept by reference",
    noticedBy: ["checkpoint-store/saved-apart", "checkpoint-store/loaded-apart"],
    factory: () => {
      const stored = new Map<string, Checkpoint>();
      return {
        save: async (checkpoint) => void stored.set(checkpoint.execId, checkpoint),
        load: async (execId) => stored.get(execId),
      };
    },
  },
  {
    fault: "nothing outlives the process",
    noticedBy: ["checkpoint-store/reopened"],
    factory: () => ({ store: simpleCheckpointStore(), reopen: () => simpleCheckpointStore() }),
  },
  {
    fault: "a damaged checkpoint is taken for a missing one",
    noticedBy: ["checkpoint-store/damaged"],
    factory: but((store) => ({ load: (execId) => store.load(execId).catch(() => undefined) })),
  },
  {
    fault: "a damaged checkpoint fails without a class",
    noticedBy: ["checkpoint-store/damaged"],
    factory: but((store) => ({
      load: (execId) =>
        store.load(execId).catch(() => {
          throw new SyntaxError("Unexpected token");
        }),
    })),
  },
  {
    fault: "ids are cut to five characters",
    noticedBy: ["checkpoint-store/runs-apart", "checkpoint-store/concurrent-runs"],
    factory: keyed((execId) => execId.slice(0, 5)),
  },
  {
    fault: "ids are the same in any case",
    noticedBy: ["checkpoint-store/runs-apart"],
    factory: keyed((execId) => execId.toLowerCase()),
  },
  {
    fault: "odd characters of ids are replaced",
    noticedBy: ["checkpoint-store/odd-ids"],
    factory: keyed((execId) => execId.replace(/[^\w-]/g, "_")),
  },
  {
    fault: "the earlier of two saves at the same time may win",
    noticedBy: ["checkpoint-store/concurrent-saves"],
    factory: but((store) => ({
      save: async (checkpoint) => {
        const copy = structuredClone(checkpoint);
        for (let wait = copy.iteration ?? 0; wait < 10; wait += 1) await turn();
        await store.save(copy);
      },
    })),
  },
  {
    fault: "a checkpoint is gone while the next one is saved",
    noticedBy: ["checkpoint-store/whole-while-saving"],
    factory: but((store) => ({
      save: async (checkpoint) => {
        const copy = structuredClone(checkpoint);
        await store.delete(copy.execId);
        await turn();
        await store.save(copy);
      },
    })),
  },
  {
    fault: "every save is listed",
    noticedBy: ["checkpoint-store/list"],
    factory: but((store) => {
      const saved: string[] = [];
      return {
        save: async (checkpoint) => {
          saved.push(checkpoint.execId);
          await store.save(checkpoint);
        },
        list: async () => saved,
      };
    }),
  },
  {
    fault: "deleting removes all ids that begin alike",
    noticedBy: ["checkpoint-store/delete"],
    factory: but((_store, disk) => ({
      delete: async (execId) => {
        for (const key of [...disk.keys()]) if (key.startsWith(execId)) disk.delete(key);
      },
    })),
  },
  {
    fault: "deleting what is not there fails",
    noticedBy: ["checkpoint-store/delete-again"],
    factory: but((store, disk) => ({
      delete: async (execId) => {
        if (!disk.has(execId)) throw new Error("not found");
        await store.delete(execId);
      },
    })),
  },
];
