// Exports for servers: the files of the dashboard, and the HTTP headers to serve them with.

import type { DashboardFile } from "./dashboard-file.ts";

export type { DashboardFile } from "./dashboard-file.ts";

/**
 * Resolves with all files of the dashboard. The files are loaded on the first call. The page uses the runs API of a
 * Switchyard server at the same origin and sends no other requests.
 */
export async function dashboardFiles(): Promise<readonly DashboardFile[]> {
  const { FILES } = await import("../built/files.js");
  return FILES;
}

/**
 * HTTP headers for every file of the dashboard. They allow only the dashboard's scripts, block requests to other
 * origins, and forbid showing the dashboard in a frame.
 */
export const DASHBOARD_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};
