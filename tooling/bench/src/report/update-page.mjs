// @ts-check
// Writes docs/reference/performance.md: `pnpm docs:update`.
import { writeFileSync } from "node:fs";
import { TARGETS } from "../targets.mjs";
import { readAttributions } from "./attributions.mjs";
import { renderPage } from "./render-page.mjs";
import { readResults } from "./results.mjs";

const results = readResults(new URL("../../results.json", import.meta.url));
const page = renderPage({ results, targets: TARGETS, attributions: readAttributions() });
writeFileSync(new URL("../../../../docs/reference/performance.md", import.meta.url), page);
