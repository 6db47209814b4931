import type { RuntimeManifest } from "../manifest/runtime-manifest.ts";

/** Where a runtime package was found. */
export type RuntimeOrigin = "project" | "user" | "package";

/** An installed runtime package. agent-runtime-package: package layout. */
export interface RuntimePackage {
  /** Canonical id: the name of its folder. */
  readonly id: string;
  /** Absolute path of its folder; `{{runtime_path}}`. */
  readonly folder: string;
  /** Where it was found. */
  readonly origin: RuntimeOrigin;
  /** What it says about itself, with the id of its folder. */
  readonly manifest: RuntimeManifest;
  /** Its manifest as it was written. */
  readonly document: unknown;
  /** What is odd about it. */
  readonly warnings: readonly string[];
}

/** A folder that looks like a runtime package and is none. */
export interface RuntimeFault {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** What is wrong, one sentence. */
  readonly problem: string;
}
