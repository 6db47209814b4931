import { type Checkpoint, EngineError } from "@switchyard/contracts";
import { sampleCheckpoint } from "../../src/checkpoint/sample-checkpoint.ts";
import type { ContractResumer, ResumerFactory, ResumerSubject } from "../../src/index.ts";
import { countingEngine } from "../right/counting-engine.ts";
import { altered, type Wrong } from "./wrong.ts";

const VERSION = "1";
const CHECKPOINT: Checkpoint = sampleCheckpoint("contract-resumed", 1, {
  payload: { next: 2 },
  board: { vars: { numbers: [1] }, channels: {} },
});

/** A correct resume check: that of the counting engine. */
export function rightResumer(
  change: (right: ContractResumer) => ContractResumer["canResume"] = delegate,
): ResumerSubject {
  const engine = countingEngine();
  const right: ContractResumer = { canResume: (checkpoint) => engine.canResume?.(checkpoint) };
  return {
    resumer: { canResume: change(right) },
    checkpoint: structuredClone(CHECKPOINT),
    malformed: [
      { ...CHECKPOINT, payload: undefined },
      { ...CHECKPOINT, payload: { next: "two" } },
    ],
    situation: { engine, dependencies: () => [["counter.step", 1]] },
  };
}

function delegate({ canResume }: ContractResumer): ContractResumer["canResume"] {
  return canResume;
}

function but(change: (right: ContractResumer) => ContractResumer["canResume"]): ResumerFactory {
  return () => rightResumer(change);
}

/** Resume checks with one fault each. */
export const wrongResumers: readonly Wrong<ResumerFactory>[] = [
  {
    fault: "it accepts a checkpoint once",
    noticedBy: ["resumer/accepts"],
    factory: but(({ canResume }) => {
      let called = false;
      return (checkpoint) => {
        if (called) throw new EngineError("checkpoint.unsupported", { engine: "it" });
        called = true;
        canResume(checkpoint);
      };
    }),
  },
  {
    fault: "it knows its checkpoints again by their identity",
    noticedBy: ["resumer/from-store"],
    factory: () => {
      const right = rightResumer();
      const canResume = (checkpoint: Checkpoint): void => {
        if (checkpoint !== right.checkpoint) throw new EngineError("checkpoint.unsupported", { engine: "it" });
      };
      return { ...right, resumer: { canResume } };
    },
  },
  {
    fault: "it marks what it has seen",
    noticedBy: ["resumer/untouched", "resumer/from-store"],
    factory: but(({ canResume }) => (checkpoint) => {
      Object.assign(checkpoint, { attributes: { seen: "yes" } });
      canResume(checkpoint);
    }),
  },
  {
    fault: "it takes a missing version for another one",
    noticedBy: ["resumer/no-version"],
    factory: but(({ canResume }) => (checkpoint) => {
      if (checkpoint.specVersion !== VERSION)
        throw new EngineError("checkpoint.drifted", { found: "", expected: VERSION });
      canResume(checkpoint);
    }),
  },
  {
    fault: "it does not look at the version",
    noticedBy: ["resumer/other-version"],
    factory: but(
      ({ canResume }) =>
        (checkpoint) =>
          canResume({ ...checkpoint, specVersion: "" }),
    ),
  },
  {
    fault: "it compares the beginnings of versions",
    noticedBy: ["resumer/other-version"],
    factory: but(({ canResume }) => (checkpoint) => {
      const isAlike = checkpoint.specVersion?.trim().startsWith(VERSION) === true;
      canResume(isAlike ? { ...checkpoint, specVersion: VERSION } : checkpoint);
    }),
  },
  {
    fault: "it does not look at the payload",
    noticedBy: ["resumer/malformed", "resumer/agrees"],
    factory: but(
      ({ canResume }) =>
        (checkpoint) =>
          canResume({ ...checkpoint, payload: CHECKPOINT.payload }),
    ),
  },
  {
    fault: "it fails on what it does not expect",
    noticedBy: ["resumer/garbage", "resumer/malformed"],
    factory: but(({ canResume }) => (checkpoint) => {
      Reflect.get(Object(checkpoint.payload), "next").toFixed();
      canResume(checkpoint);
    }),
  },
  {
    fault: "it is not over when it returns",
    noticedBy: ["resumer/accepts", "resumer/cheap"],
    factory: but(
      ({ canResume }) =>
        async (checkpoint) =>
          canResume(checkpoint),
    ),
  },
  {
    fault: "it starts timers",
    noticedBy: ["resumer/cheap"],
    factory: but(({ canResume }) => (checkpoint) => {
      setTimeout(() => {}, 20);
      canResume(checkpoint);
    }),
  },
  {
    fault: "it refuses what the engine takes",
    noticedBy: ["resumer/agrees", "resumer/accepts"],
    factory: () => {
      const right = rightResumer();
      const canResume = (): never => {
        throw new EngineError("checkpoint.unsupported", { engine: "it" });
      };
      return altered(right, { resumer: { canResume } });
    },
  },
];
