import { EngineError } from "@switchyard/contracts";
import { checkAmount, checkImage, checkRemotePath, checkSetting } from "../client/check-setting.ts";
import { DEFAULT_WORKING_DIRECTORY, KEEP_ALIVE } from "../client/keep-alive.ts";
import { OWNER_LABELS } from "../owner/owner-labels.ts";
import type { KubernetesImageOptions } from "./kubernetes-options.ts";

/** Name of the container in a new pod. */
export const NEW_CONTAINER = "main";
/** CPU request, in thousandths of a CPU. The value is low so that scheduling does not depend on the CPU limit. */
const REQUESTED_MILLI_CPUS = 100;

/** Name, workspace path and manifest of a pod that will be created. */
export interface PodPlan {
  readonly name: string;
  readonly workingDirectory: string;
  /** Manifest as JSON. */
  readonly manifest: string;
}

/** Owner of a new pod: a run and a process. */
export interface PodOwner {
  /** Identifier of the run, part of the pod's name. */
  readonly mark: string;
  /** Token of this process. */
  readonly token: string;
}

/** Returns the plan of a pod. Throws `config.invalid` for an invalid setting. */
export function planPod(options: KubernetesImageOptions, { mark, token }: PodOwner): PodPlan {
  const workingDirectory = checkRemotePath("workingDirectory", options.workingDirectory ?? DEFAULT_WORKING_DIRECTORY);
  const name = `switchyard-${mark}`;
  const labels = {
    "app.kubernetes.io/managed-by": "switchyard",
    [OWNER_LABELS.owner]: token,
    [OWNER_LABELS.mark]: mark,
  };
  const deadline = options.activeDeadlineSeconds;
  const spec = {
    restartPolicy: "Never",
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 1,
    ...(deadline === undefined ? {} : { activeDeadlineSeconds: checkAmount("activeDeadlineSeconds", deadline, true) }),
    volumes: [
      { name: "workspace", emptyDir: {} },
      ...(options.readOnlyRoot === true ? [{ name: "temporary", emptyDir: {} }] : []),
    ],
    containers: [planContainer(options, workingDirectory)],
  };
  const manifest = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, labels },
    spec: withFurther(spec, options.podSpec),
  };
  return { name, workingDirectory, manifest: JSON.stringify(manifest) };
}

function withFurther(
  spec: Readonly<Record<string, unknown>>,
  further: KubernetesImageOptions["podSpec"] = {},
): unknown {
  const conflict = Object.keys(further).find((field) => Object.hasOwn(spec, field));
  if (conflict === undefined) return { ...further, ...spec };
  throw new EngineError("config.invalid", {
    field: `podSpec.${conflict}`,
    problem: "it is set by the environment itself",
  });
}

function planContainer(options: KubernetesImageOptions, workingDirectory: string): Readonly<Record<string, unknown>> {
  const readOnly = options.readOnlyRoot === true;
  return {
    name: NEW_CONTAINER,
    image: checkImage(options.image),
    ...(options.pull === undefined ? {} : { imagePullPolicy: options.pull === "never" ? "Never" : "IfNotPresent" }),
    command: ["sh", "-c", KEEP_ALIVE],
    workingDir: workingDirectory,
    resources: planResources(options),
    securityContext: {
      allowPrivilegeEscalation: false,
      ...(readOnly ? { readOnlyRootFilesystem: true } : {}),
      ...(options.user === undefined ? {} : { runAsUser: checkUserNumber(options.user) }),
    },
    volumeMounts: [
      { name: "workspace", mountPath: workingDirectory },
      ...(readOnly ? [{ name: "temporary", mountPath: "/tmp" }] : []),
    ],
  };
}

function planResources(options: KubernetesImageOptions): Readonly<Record<string, unknown>> {
  const memory = checkSetting(options.memory ?? "2Gi", {
    field: "memory",
    pattern: /^[1-9]\d*(?:\.\d+)?(?:[KMGT]i?|k)?$/,
    expected: "a size like `512Mi` or `2Gi`",
  });
  const milliCpus = Math.max(1, Math.round(checkAmount("cpus", options.cpus ?? 2, false) * 1000));
  return {
    limits: { memory, cpu: `${milliCpus}m` },
    requests: { memory, cpu: `${Math.min(milliCpus, REQUESTED_MILLI_CPUS)}m` },
  };
}

function checkUserNumber(user: number): number {
  if (Number.isSafeInteger(user) && user >= 0) return user;
  throw new EngineError("config.invalid", { field: "user", problem: "it is not a numeric user id" });
}
