import type { DashboardFile } from "../src/dashboard-file.ts";

/** Written by build.mjs. */
export declare const FILES: readonly DashboardFile[];
