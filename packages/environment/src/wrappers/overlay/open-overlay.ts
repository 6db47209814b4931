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
   * How to handle commands, which know only the base. `refuse` rejects them with `environment.command_refused`. `base`
   * runs them on the base, where they see none of the overlay's changes and can still write. Default: `refuse`.
   */
  readonly commands?: "refuse" | "base" | undefined;
  /**
   * Maximum total size of written files, in bytes, which are stored in memory. If it is exceeded, writes fail as on a
   * full disk. Default: 256 MiB.
   */
  readonly maxBytes?: number | undefined;
  /** Maximum number of bytes that one read returns for a file written in the overlay. Default: 50 MiB. */
  readonly maxReadBytes?: number | undefined;
  /** Returns the time in milliseconds since 1970, for written files. Default: the system time. */
  readonly now?: (() => number) | undefined;
}

const OVERLAY_OPTIONS: OptionNames<OverlayOptions> = {
  keepOpen: true,
  commands: true,
  maxBytes: true,
  maxReadBytes: true,
  now: true,
};

/** Options for applying an overlay. */
export interface ApplyOverlayOptions {
  /**
   * True to apply the overlay even if the base has changed, which overwrites the changes of the base. Default: false.
   */
  readonly force?: boolean | undefined;
}

/** Result of applying an overlay. `conflict` means that nothing was written. */
export type AppliedOverlay =
  | { readonly kind: "applied"; readonly changes: readonly OverlayChange[] }
  | { readonly kind: "conflict"; readonly conflicts: readonly OverlayConflict[] };

/**
 * An overlay over an environment, its base. Unchanged files are read from the base; changes are stored in the overlay
 * only.
 */
export interface Overlay {
  /** Environment with the merged files. Contract: it never changes the base, except through allowed commands. */
  readonly environment: ExecutionEnvironment;
  /** Resolves with the current differences from the base, by path. */
  changes(): Promise<OverlayChange[]>;
  /**
   * Resolves with the differences of files and links as a unified diff for `git apply`, including binary files. New and
   * removed files have mode 100644; folders without files are omitted.
   */
  diff(): Promise<string>;
  /**
   * Writes the changes to the base and empties the overlay. Each file is written, moved or removed atomically. After a
   * failure, completed steps are not reverted and the overlay is unchanged. Returns a conflict if the base has changed
   * where the overlay would write.
   */
  apply(options?: ApplyOverlayOptions): Promise<AppliedOverlay>;
  /** Discards all changes of the overlay. */
  discard(): Promise<void>;
}

/**
 * Opens an overlay: an environment in which everything can be changed while its base stays unchanged until the changes
 * are applied. Links of the base are followed if the base can run `readlink`; otherwise a path through a link is
 * rejected. Throws `environment.unavailable` for a base with Windows paths. loop: §4.4.
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
