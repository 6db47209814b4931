// The table of environments that the contract is run on: `pnpm test:environments` prints it.
//
// To add one: write `<name>-row.ts` beside this file, which exports an `EnvironmentRow`; name it below; and give it a
// suite of its own, `<name>.test.ts`, with one line: `proveEnvironment(<name>Row)`; `environment-rows.test.ts` insists.
// Rows run side by side, each in its own process: what they start must have folders, sockets and ports of its own. A
// row that cannot start on a machine says why, and its cases are skipped with that reason; so are single cases, by what
// the subject says that it `lacks`. `.ci/skips` names what CI may leave out so.
//
// A row without a `sample` runs every case. One with a sample shares its code with rows that do: `case-sample.ts` says
// which, and what is still run. `ENVIRONMENT_CONTRACT=whole`, which `pnpm test:environments` sets, runs every case on all.
import { dockerRow, podmanRow } from "./docker-row.ts";
import type { EnvironmentRow } from "./environment-row.ts";
import { kubernetesRow } from "./kubernetes-row.ts";
import { localRow, localWithHelperRow, localWithoutRipgrepRow } from "./local-row.ts";
import { memoryRow } from "./memory-row.ts";
import { localNamespaceRow, sandboxRow } from "./sandbox-row.ts";
import { sshRow } from "./ssh-row.ts";
import { loggingRow, overlayRow, readBeforeWriteRow } from "./wrapped-row.ts";

/** Every environment of this package. */
export const ENVIRONMENT_ROWS: readonly EnvironmentRow[] = [
  localRow,
  localWithHelperRow,
  localWithoutRipgrepRow,
  localNamespaceRow,
  sandboxRow,
  memoryRow,
  dockerRow,
  podmanRow,
  kubernetesRow,
  sshRow,
  loggingRow,
  readBeforeWriteRow,
  overlayRow,
];
