import type { ExecutionEnvironment } from "@switchyard/contracts";
import { EngineError } from "@switchyard/contracts";
import { DEFAULT_READ_BYTES } from "../../environment-options.ts";
import { assertKnownOptions, type OptionNames } from "../../known-options.ts";
import { createSerialQueue } from "../serial-queue.ts";
import type { WrapperOptions } from "../wrap-environment.ts";
import { applyPlan } from "./apply-plan.ts";
import { BaseFolder } from "./base-folder.ts";
import { compareContents } from "./compare-contents.ts";
import type { OverlayConflict } from "./find-conflicts.ts";
import { findConflicts } from "./find-conflicts.ts";
import { findDifferences } from "./find-differences.ts";
import { Layer } from "./layer.ts";
import { planOf } from "./layer-plan.ts";
import type { OverlayChange } from "./overlay-change.ts";
import { createOverlayEnvironment } from "./overlay-environment.ts";
import { renderDiff } from "./render-diff.ts";

const DEFAULT_BYTES = 256 * 1024 * 1024;

/** How an overlay is opened. */
export interface OverlayOptions extends WrapperOptions {
  /**
   * What becomes of commands. They know the base only: `refuse` (default) rejects them with
   * `environment.command_refused`; `base` runs them there, where they see nothing of the overlay and nothing keeps them
   * from writing.
   */
  readonly commands?: "refuse" | "base" | undefined;
  /** Most bytes of all written files, which are in memory; 256 MiB by default. Beyond it writes fail as on a full disk. */
  readonly maxBytes?: number | undefined;
  /** Most bytes that one read of a written file hands out; 50 MiB by default. */
  readonly maxReadBytes?: number | undefined;
  /** The time in milliseconds since 1970, for written files; that of the machine by default. */
  readonly now?: (() => number) | undefined;
}

const OVERLAY_OPTIONS: OptionNames<OverlayOptions> = {
  keepOpen: true,
  commands: true,
  maxBytes: true,
  maxReadBytes: true,
  now: true,
};

/** How an overlay is applied. */
export interface ApplyOverlayOptions {
  /** Whether it is applied where the base has changed too, which loses those changes. */
  readonly force?: boolean | undefined;
}

/** What came of applying an overlay: `conflict` means that nothing was written. */
export type AppliedOverlay =
  | { readonly kind: "applied"; readonly changes: readonly OverlayChange[] }
  | { readonly kind: "conflict"; readonly conflicts: readonly OverlayConflict[] };

/** A layer in front of an environment: reads fall through, writes stay in the layer. */
export interface Overlay {
  /** The merged files. Contract: whatever it does, the base is not changed, but by commands that were let through. */
  readonly environment: ExecutionEnvironment;
  /** What is different from the base as it is now, by path. */
  changes(): Promise<OverlayChange[]>;
  /**
   * The differences of files and links as a unified diff for `git apply`, with binary files. The mode of a new or
   * removed file is 100644; folders without files are left out.
   */
  diff(): Promise<string>;
  /**
   * Writes the layer to the base and empties it. Each file is written, moved or removed whole or not at all; a failure
   * on the way leaves what was done, and the layer. Refuses when the base has changed where the layer would write.
   */
  apply(options?: ApplyOverlayOptions): Promise<AppliedOverlay>;
  /** Empties the layer. */
  discard(): Promise<void>;
}

/**
 * Opens an overlay: an environment in which everything can be changed and whose base stays as it is, until the changes
 * are applied. Links of the base are followed where it runs `readlink`, else a path through one is refused. Throws
 * `environment.unavailable` for a base whose paths are those of Windows. loop: §4.4.
 */
export function openOverlay(base: ExecutionEnvironment, options: OverlayOptions = {}): Overlay {
  assertKnownOptions(options, OVERLAY_OPTIONS);
  if (base.platform === "windows") {
    const problem = "overlays need the paths of POSIX";
    throw new EngineError("environment.unavailable", { environment: `${base.name}+overlay`, problem });
  }
  const { commands = "refuse", maxBytes = DEFAULT_BYTES, maxReadBytes = DEFAULT_READ_BYTES, now = Date.now } = options;
  const place = new BaseFolder(base);
  const layer = new Layer(place, { maxBytes, now });
  const inTurn = createSerialQueue();
  let applying: Promise<unknown> = Promise.resolve();
  const differences = async () => findDifferences(planOf(layer.view.root), place);
  const apply = async (force: boolean): Promise<AppliedOverlay> => {
    const plan = planOf(layer.view.root);
    const conflicts = force ? [] : await findConflicts(plan, { base: place, witness: layer.witness });
    if (conflicts.length > 0) return { kind: "conflict", conflicts };
    const changes = await compareContents(await differences(), place);
    await applyPlan(plan, { base: place, force, waitingFolder: `.switchyard-overlay-${crypto.randomUUID()}` });
    layer.clear();
    return { kind: "applied", changes };
  };
  const whenApplied = () => applying;
  const keepOpen = options.keepOpen === true;
  return {
    environment: createOverlayEnvironment({ layer, inTurn, whenApplied, commands, maxReadBytes, keepOpen }),
    changes: () => inTurn(async () => compareContents(await differences(), place)),
    diff: () => inTurn(async () => renderDiff(await differences(), place)),
    apply: ({ force = false } = {}) =>
      inTurn(() => {
        const applied = apply(force);
        applying = applied.catch(() => undefined);
        return applied;
      }),
    discard: () => inTurn(async () => layer.clear()),
  };
}
