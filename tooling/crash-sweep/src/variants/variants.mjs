// @ts-check
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { NODE_FILES, openFileStore } from "@switchyard/stores/file";
import { openNatsStore } from "@switchyard/stores/nats";
import { openSqliteStore } from "@switchyard/stores/sqlite";
import { seededRandom } from "@switchyard/suite/seeded-random";
import { crashingFiles } from "./crashing-files.mjs";
import { crashingStore } from "./crashing-store.mjs";
import { volatileFiles } from "./volatile-files.mjs";
import { asksUnderFreshIds, endsNothing, forgetsChildren, forgetsIntentsOfChildren } from "./wrong-agents.mjs";
import { acknowledgesEarly, forgetsDamage, ignoresEpochs, publishesEarly, skipsSaves } from "./wrong-stores.mjs";

/** @import { Checkpoint, ExecutionEnvironment, HostMiddleware, RunStore } from "@switchyard/contracts" */
/** @import { ScenarioName } from "../scenario/scenario.mjs" */
/** @import { StoreFiles } from "@switchyard/stores/file" */
/** @import { Attempt, BrokerPlace } from "../worker/attempt.mjs" */
/** @import { CrashPoints } from "../worker/crash-points.mjs" */

/**
 * The program that a worker runs: the product unchanged, or with one fault.
 * @typedef {object} Variant
 * @property {ScenarioName} [scenario] Behaviour of its agents. Default: the steps scenario.
 * @property {boolean} [isDatabase] True if it stores its runs in SQLite.
 * @property {boolean} [isBroker] True if it stores its runs on a NATS server.
 * @property {boolean} [losesPower] True if each kill simulates a power failure.
 * @property {(files: StoreFiles) => StoreFiles} [files] Adds a fault to its files.
 * @property {(store: RunStore) => RunStore} [store] Adds a fault to its store.
 * @property {boolean} [repeatsCalls] True if it wrongly treats commands as repeatable.
 * @property {string} [freshIds] A tool whose calls get new ids in each process.
 * @property {(checkpoint: Checkpoint) => Checkpoint} [tampers] Adds a fault to the checkpoint from which it resumes.
 * @property {readonly HostMiddleware[]} [middlewares] Middleware that adds a fault to the calls of its host.
 * @property {(environment: ExecutionEnvironment) => ExecutionEnvironment} [environment] Adds a fault to its
 * environment.
 */

/** @type {Readonly<Record<string, Variant>>} */
const VARIANTS = {
  file: {},
  sqlite: { isDatabase: true },
  nats: { isBroker: true },
  volatile: { losesPower: true },
  "skips-flush": { losesPower: true, files: withoutFlush },
  "skips-folder-flush": { losesPower: true, files: withoutFolderFlush },
  "ignores-epochs": { store: ignoresEpochs },
  "acknowledges-early": { store: acknowledgesEarly },
  "publishes-early": { store: publishesEarly },
  "skips-saves": { store: skipsSaves },
  "forgets-damage": { store: forgetsDamage },
  "repeats-calls": { repeatsCalls: true },
  family: { scenario: "family" },
  "family-volatile": { scenario: "family", losesPower: true },
  "family-sqlite": { scenario: "family", isDatabase: true },
  "family-nats": { scenario: "family", isBroker: true },
  "forgets-children": { scenario: "family", tampers: forgetsChildren },
  "repeats-calls-of-children": { scenario: "family", tampers: forgetsIntentsOfChildren },
  "spawns-twice": { scenario: "family", freshIds: "spawn_agent" },
  "sends-twice": { scenario: "family", freshIds: "send_input" },
  "asks-twice": { scenario: "family", middlewares: [asksUnderFreshIds] },
  "leaves-processes": { scenario: "family", environment: endsNothing },
};

/**
 * Returns the variant with a name. Throws if there is none.
 * @param {string} name
 * @returns {Variant}
 */
export function findVariant(name) {
  const variant = Object.hasOwn(VARIANTS, name) ? VARIANTS[name] : undefined;
  if (variant === undefined) throw new Error(`${name} is not one of ${Object.keys(VARIANTS).join(", ")}`);
  return variant;
}

/**
 * Returns the scenario of a variant.
 * @param {string} name
 * @returns {ScenarioName}
 */
export function scenarioOf(name) {
  return findVariant(name).scenario ?? "steps";
}

/**
 * Returns the correct variant with the same boundaries and outcome.
 * @param {string} name
 * @returns {"file" | "sqlite" | "family" | "family-sqlite"}
 */
export function modelOf(name) {
  const variant = findVariant(name);
  // Neither store exposes its files, so boundaries are at the store's writes.
  const isDatabase = variant.isDatabase === true || variant.isBroker === true;
  if (scenarioOf(name) === "family") return isDatabase ? "family-sqlite" : "family";
  return isDatabase ? "sqlite" : "file";
}

/**
 * Opens the store of a worker, with its boundaries and faults.
 * @param {Attempt} attempt
 * @param {CrashPoints} points
 * @returns {Promise<RunStore>}
 */
export async function openVariantStore({ variant: name, stateDirectory, leaseMs, powerSeed, broker }, points) {
  const { isDatabase, isBroker, losesPower, files = same, store = same } = findVariant(name);
  if (isDatabase === true) return crashingStore(await openDatabase(stateDirectory, leaseMs), points);
  if (isBroker === true && broker !== undefined) {
    return crashingStore(await openBroker(stateDirectory, broker, leaseMs), points);
  }
  const disk = losesPower === true ? volatileFiles(NODE_FILES) : undefined;
  points.beforeKill(() => disk?.losePower(powerSeed === undefined ? none : seededRandom(powerSeed)));
  const used = crashingFiles(files(disk ?? NODE_FILES), points);
  return store(openFileStore({ directory: stateDirectory, files: used, leaseMs }));
}

/**
 * Opens a correct store to read what the workers of a variant stored.
 * @param {{ variant: string, stateDirectory: string }} place
 * @returns {Promise<RunStore>}
 */
export async function openReadingStore({ variant, stateDirectory }) {
  if (findVariant(variant).isDatabase === true) return openDatabase(stateDirectory);
  return openFileStore({ directory: stateDirectory });
}

/**
 * @param {string} stateDirectory
 * @param {number} [leaseMs]
 * @returns {Promise<RunStore>}
 */
async function openDatabase(stateDirectory, leaseMs) {
  await mkdir(stateDirectory, { recursive: true });
  return openSqliteStore({ path: join(stateDirectory, "runs.db"), leaseMs });
}

/**
 * Opens a named store on a NATS server.
 * @param {string} stateDirectory
 * @param {BrokerPlace} broker
 * @param {number} [leaseMs]
 * @returns {Promise<RunStore>}
 */
export function openBroker(stateDirectory, { url, name }, leaseMs) {
  return openNatsStore({ servers: url, name, leaseMs, filesDirectory: join(stateDirectory, "runs") });
}

/**
 * @param {StoreFiles} files
 * @returns {StoreFiles}
 */
function withoutFlush(files) {
  return {
    ...files,
    open: async (path, mode) => {
      const file = await files.open(path, mode);
      return { ...file, sync: async () => {} };
    },
  };
}

/**
 * @param {StoreFiles} files
 * @returns {StoreFiles}
 */
function withoutFolderFlush(files) {
  return { ...files, syncFolder: async () => {} };
}

/**
 * @template T
 * @param {T} value
 * @returns {T}
 */
function same(value) {
  return value;
}

/** @returns {number} */
function none() {
  return 0;
}
