// @ts-check
// Writes docs/reference/scale.md and its plots: `pnpm docs:update`.
import { writeFileSync } from "node:fs";
import { renderReport } from "./report/render-report.mjs";

for (const [path, text] of Object.entries(renderReport()))
  writeFileSync(new URL(`../../../docs/${path}`, import.meta.url), text);
