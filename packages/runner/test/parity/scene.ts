import {
  createProfile,
  type ProviderProfile,
  Session,
  type SessionConfig,
  type SessionEvent,
  type SessionEventOf,
} from "@switchyard/agent";
import type { Client, EventPayloads, EventType } from "@switchyard/contracts";
import type { Family } from "../histories/wire-checks.ts";
import type { WireRequest } from "./recording-relay.ts";
import { type SceneProvider, type Script, startScriptedProvider } from "./scripted-provider.ts";
import { type Files, openTemporaryWorkspace, type TemporaryWorkspace } from "./temporary-workspace.ts";
import { WIRE_FORMATS, type WireResult } from "./wire-view.ts";
import { type Naming, type Wording, wordingOf } from "./wording.ts";

/** A model of each family that supports named reasoning efforts. */
const MODELS = { openai: "gpt-5.2-codex", anthropic: "claude-opus-4-6", gemini: "gemini-3-pro-preview" } as const;

/** The family of the model, and the names of its tools. */
export interface Cast {
  readonly family: Family;
  readonly naming: Naming;
  /** Provider of the model. Default: a mock that follows the script. */
  readonly provider?: SceneProvider | undefined;
  /** Wraps the client of the session. */
  readonly wrap?: ((client: Client) => Client) | undefined;
}

/** Content of a scene. */
export interface Plot {
  readonly files?: Files | undefined;
  readonly config?: Partial<SessionConfig> | undefined;
  /** The user's messages, each sent when the previous one is done. */
  readonly inputs: readonly string[];
  /** What the model says. */
  script(scene: Scene): Script;
  /** Reaction of the host to an event. */
  onEvent?(event: SessionEvent, scene: Scene): Promise<void>;
  /** Checks the results of one input, by the events since it. */
  afterInput?(input: string, scene: Scene): Promise<void>;
}

/** A session of one family from its beginning to its end, with all observable data. */
export class Scene implements AsyncDisposable {
  readonly family: Family;
  readonly naming: Naming;
  readonly wording: Wording;
  readonly profile: ProviderProfile;
  readonly workspace: TemporaryWorkspace;
  readonly session: Session;
  readonly provider: SceneProvider;
  readonly events: SessionEvent[] = [];
  #inputAt = 0;

  private constructor({ family, naming }: Cast, parts: Pick<Scene, "profile" | "workspace" | "session" | "provider">) {
    this.family = family;
    this.naming = naming;
    this.wording = wordingOf(family, naming);
    this.profile = parts.profile;
    this.workspace = parts.workspace;
    this.session = parts.session;
    this.provider = parts.provider;
  }

  /** Plays the scene to the end of its last input. */
  static async play(cast: Cast, plot: Plot): Promise<Scene> {
    const { family, naming } = cast;
    const workspace = await openTemporaryWorkspace(plot.files);
    const scripts: Script[] = [];
    const provider = cast.provider ?? (await startScriptedProvider(family, () => scripts[0] ?? {}));
    const profile = createProfile(family, { model: MODELS[family], toolNames: naming });
    const { environment } = workspace;
    const client = cast.wrap?.(provider.client) ?? provider.client;
    const session = new Session({ profile, environment, client, config: plot.config });
    const scene = new Scene(cast, { profile, workspace, session, provider });
    scripts.push(plot.script(scene));
    try {
      for (const input of plot.inputs) await scene.#submit(input, plot);
      return scene;
    } catch (error) {
      await scene[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #submit(input: string, plot: Plot): Promise<void> {
    this.#inputAt = this.events.length;
    for await (const event of this.session.submit(input)) {
      this.events.push(event);
      await plot.onEvent?.(event, this);
    }
    await plot.afterInput?.(input, this);
  }

  /** The events since the last input, in the session and in its children. */
  get eventsOfInput(): readonly SessionEvent[] {
    return this.events.slice(this.#inputAt);
  }

  /** Returns the events of one kind of the session itself. */
  eventsOf<T extends EventType>(type: T): readonly EventPayloads[T][] {
    const isOwn = (event: SessionEvent): event is SessionEvent & SessionEventOf<T> =>
      event.type === type && event.agentId === undefined;
    return this.events.filter(isOwn).map(({ data }) => data);
  }

  /** Returns the requests of the conversation that begins with this text. */
  requestsOf(beginning: string): readonly WireRequest[] {
    const { userTexts } = WIRE_FORMATS[this.family];
    return this.provider.requests.filter(({ body }) => userTexts(body)[0] === beginning);
  }

  /** The tool results in the last request. */
  get results(): readonly WireResult[] {
    return WIRE_FORMATS[this.family].results(this.provider.requests.at(-1)?.body);
  }

  /** The user's messages in the last request of the model. */
  get userTexts(): readonly string[] {
    return WIRE_FORMATS[this.family].userTexts(this.provider.requests.at(-1)?.body);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close();
    await this.provider[Symbol.asyncDispose]();
    await this.workspace[Symbol.asyncDispose]();
  }
}
