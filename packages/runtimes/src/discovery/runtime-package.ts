import type { RuntimeManifest } from "../manifest/runtime-manifest.ts";

/** Origin of a runtime package: the project, the user's folder or an npm package. */
export type RuntimeOrigin = "project" | "user" | "package";

/** An installed runtime package. See agent-runtime-package: package layout. */
export interface RuntimePackage {
  /** Canonical id: the name of the package's folder. */
  readonly id: string;
  /** Absolute path of the package's folder; the value of `{{runtime_path}}` in manifests. */
  readonly folder: string;
  /** Origin of the package: the project, the user's folder or an npm package. */
  readonly origin: RuntimeOrigin;
  /** Parsed manifest. Its id is the name of the folder. */
  readonly manifest: RuntimeManifest;
  /** Manifest document as read from the file, before validation and defaults. */
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
