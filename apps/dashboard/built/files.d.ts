import type { DashboardFile } from "../src/index.ts";

/** Written by build.mjs. */
export declare const FILES: readonly DashboardFile[];
