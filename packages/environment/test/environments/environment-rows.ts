// The environments that the contract is tested on. `pnpm test:environments` prints them as a table.
//
// To add one: write `<name>-row.ts` next to this file, which exports an `EnvironmentRow`; list it below; and add a test
// file `<name>.test.ts` with one line: `proveEnvironment(<name>Row)`. `environment-rows.test.ts` checks this.
// Rows run in parallel, each in its own process, so each must use separate folders, sockets and ports. The cases of a
// row that cannot start on a machine are skipped with its reason. Single cases are skipped if the subject `lacks` an
// ability. `.ci/skips` lists the skips that CI accepts.
//
// A row without a `sample` runs every case. A row with a sample shares its code with rows that run all cases. See
// `case-sample.ts`. `ENVIRONMENT_CONTRACT=whole`, set by `pnpm test:environments`, runs every case on every row, and in
// every shell of `test/remote`.
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
