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

/** Options for opening an overlay. */
export interface OverlayOptions extends WrapperOptions {
  /**
   * Handling of commands. Commands can access only the base environment. `refuse` rejects them with
   * `environment.command_refused`. `base` runs them in the base environment, where they see none of the overlay's
   * changes and can write. Default: `refuse`.
   */
  readonly commands?: "refuse" | "base" | undefined;
  /**
   * Maximum total size of written files, in bytes, which are stored in memory. If it is exceeded, writes fail as on a
   * full disk. Default: 256 MiB.
   */
  readonly maxBytes?: number | undefined;
  /** Maximum number of bytes that one read returns for a file written in the overlay. Default: 50 MiB. */
  readonly maxReadBytes?: number | undefined;
  /**
   * Function that returns the modification time of written files, in milliseconds since 1970. Default: the system time.
   */
  readonly now?: (() => number) | undefined;
}

const OVERLAY_OPTIONS: OptionNames<OverlayOptions> = {
  keepOpen: true,
  commands: true,
  maxBytes: true,
  maxReadBytes: true,
  now: true,
};

/** Options for writing the changes of an overlay to its base environment. */
export interface ApplyOverlayOptions {
  /**
   * True to apply the overlay even if the base environment has changed. Conflicting changes of the base are then
   * overwritten. Default: false.
   */
  readonly force?: boolean | undefined;
}

/** Result of writing an overlay's changes to its base environment. `conflict` means that nothing was written. */
export type AppliedOverlay =
  | { readonly kind: "applied"; readonly changes: readonly OverlayChange[] }
  | { readonly kind: "conflict"; readonly conflicts: readonly OverlayConflict[] };

/**
 * An overlay over another environment, its base. Unchanged files are read from the base environment; changes are stored
 * only in the overlay.
 */
export interface Overlay {
  /**
   * Environment with the merged files. Contract: it never changes the base environment, except through commands that
   * the options allow.
   */
  readonly environment: ExecutionEnvironment;
  /** Resolves with the current differences from the base environment, sorted by path. */
  changes(): Promise<OverlayChange[]>;
  /**
   * Resolves with the differences of files and links as a unified diff for `git apply`, including binary files. New and
   * removed files have mode 100644; folders without files are omitted.
   */
  diff(): Promise<string>;
  /**
   * Writes the changes to the base environment and empties the overlay. Each file is written, moved or removed
   * atomically. After a failure, completed steps are not reverted and the overlay still contains all changes. Returns a
   * conflict if a path to write has changed in the base environment.
   */
  apply(options?: ApplyOverlayOptions): Promise<AppliedOverlay>;
  /** Discards all changes of the overlay. */
  discard(): Promise<void>;
}

/**
 * Opens an overlay over a base environment. Files can be changed in the overlay, and the base environment stays
 * unchanged until the changes are applied. Symbolic links are followed if the base environment can run `readlink`;
 * otherwise a path through a link is rejected. Throws `environment.unavailable` for a base environment with Windows
 * paths. See loop: §4.4.
 */
export function openOverlay(base: ExecutionEnvironment, options: OverlayOptions = {}): Overlay {
  assertKnownOptions(options, OVERLAY_OPTIONS);
  if (base.platform === "windows") {
    const problem = "overlays require POSIX paths";
    throw new EngineError("environment.unavailable", { environment: `${base.name}+overlay`, problem });
  }
  const { commands = "refuse", maxBytes = DEFAULT_BYTES, maxReadBytes = DEFAULT_READ_BYTES, now = Date.now } = options;
  const baseFolder = new BaseFolder(base);
  const layer = new Layer(baseFolder, { maxBytes, now });
  const inTurn = createSerialQueue();
  let applying: Promise<unknown> = Promise.resolve();
  const differences = async () => findDifferences(planOf(layer.view.root), baseFolder);
  const apply = async (force: boolean): Promise<AppliedOverlay> => {
    const plan = planOf(layer.view.root);
    const conflicts = force ? [] : await findConflicts(plan, { base: baseFolder, witness: layer.witness });
    if (conflicts.length > 0) return { kind: "conflict", conflicts };
    const changes = await compareContents(await differences(), baseFolder);
    await applyPlan(plan, { base: baseFolder, force, waitingFolder: `.switchyard-overlay-${crypto.randomUUID()}` });
    layer.clear();
    return { kind: "applied", changes };
  };
  const whenApplied = () => applying;
  const keepOpen = options.keepOpen === true;
  return {
    environment: createOverlayEnvironment({ layer, inTurn, whenApplied, commands, maxReadBytes, keepOpen }),
    changes: () => inTurn(async () => compareContents(await differences(), baseFolder)),
    diff: () => inTurn(async () => renderDiff(await differences(), baseFolder)),
    apply: ({ force = false } = {}) =>
      inTurn(() => {
        const applied = apply(force);
        applying = applied.catch(() => undefined);
        return applied;
      }),
    discard: () => inTurn(async () => layer.clear()),
  };
}
