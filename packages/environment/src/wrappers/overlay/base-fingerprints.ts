import type { Fingerprint } from "../fingerprint.ts";
import { isSameContent, takeFingerprint } from "../fingerprint.ts";
import type { BaseFolder } from "./base-folder.ts";
import { orCurrentFolder } from "./base-folder.ts";
import { inBatches } from "./in-batches.ts";
import type { LayerNode } from "./layer-node.ts";
import { joinRelative } from "./layer-node.ts";

/**
 * Stores the state that files in the base environment have when an overlay replaces or removes them. By this state,
 * later changes of these files are detected.
 */
export class BaseFingerprints {
  readonly #base: BaseFolder;
  readonly #seen = new Map<string, Fingerprint>();

  constructor(base: BaseFolder) {
    this.#base = base;
  }

  /** Returns whether the state of a path in the base environment was recorded. */
  knows(path: string): boolean {
    return this.#seen.has(path);
  }

  /** Stores the state of one path in the base environment, unless a state was stored before. */
  async see(path: string): Promise<void> {
    if (this.#seen.has(path)) return;
    const fingerprint = await this.#look(path);
    if (fingerprint !== undefined) this.#seen.set(path, fingerprint);
  }

  /** Stores the state of all entries of the base environment that are visible in a folder of the overlay. */
  async seeAll(node: LayerNode): Promise<void> {
    if (node.kind === "file") return;
    if (node.kind === "base") return this.#seeTree(node.path);
    if (node.base !== undefined) {
      await this.see(node.base);
      for (const { name, kind } of await this.#base.list(node.base)) {
        if (node.entries.has(name)) continue;
        const path = joinRelative(node.base, name);
        await (kind === "directory" ? this.#seeTree(path) : this.see(path));
      }
    }
    for (const entry of node.entries.values()) if (entry !== undefined) await this.seeAll(entry);
  }

  /**
   * Returns whether a path in the base environment is unchanged since its state was recorded. `undefined` if no state
   * was recorded.
   */
  async isUnchanged(path: string): Promise<boolean | undefined> {
    const before = this.#seen.get(path);
    if (before === undefined) return undefined;
    const now = await this.#look(path);
    return now !== undefined && isSameContent(before, now);
  }

  async #seeTree(path: string): Promise<void> {
    await this.see(path);
    if (this.#seen.get(path)?.kind !== "directory") return;
    const below = await this.#base.listAll(path);
    await inBatches(below, ({ name }) => this.see(joinRelative(path, name)));
  }

  async #look(path: string): Promise<Fingerprint | undefined> {
    const kind = await this.#base.kindOf(path);
    if (kind === undefined) return undefined;
    if (kind !== "file") return { kind, size: 0, modifiedMs: 0 };
    return takeFingerprint(this.#base.environment, orCurrentFolder(path));
  }
}
