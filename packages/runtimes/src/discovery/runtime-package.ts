import type { RuntimeManifest } from "../manifest/runtime-manifest.ts";

/** Kind of folder that a package was found in. */
export type RuntimeOrigin = "project" | "user" | "package";

/** An installed runtime package. agent-runtime-package: package layout. */
export interface RuntimePackage {
  /** Canonical id: the name of its folder. */
  readonly id: string;
  /** Absolute path of its folder; the value of `{{runtime_path}}`. */
  readonly folder: string;
  /** Kind of folder that it was found in. */
  readonly origin: RuntimeOrigin;
  /** Manifest, with the folder's name as id. */
  readonly manifest: RuntimeManifest;
  /** Manifest document as it was written. */
  readonly document: unknown;
  /** Warnings about the manifest. */
  readonly warnings: readonly string[];
}

/** A folder with an invalid runtime package. */
export interface RuntimeFault {
  /** Absolute path of the folder. */
  readonly folder: string;
  /** Problem, in one sentence. */
  readonly problem: string;
}
