import {
  EngineError,
  type EventPayloads,
  type Interrupt,
  type InterruptSource,
  type UserPrompt,
  type UserPrompter,
  type UserReply,
} from "@switchyard/contracts";
import { interruptedError } from "@switchyard/engine";
import type { RunEvents } from "./run-events.ts";

/** Options for `createUserQuestions`. */
export interface UserQuestionsOptions {
  /** Publishes questions and answers as events. */
  events: RunEvents;
  /** Creates question ids. */
  createId: () => string;
  /** Whether questions can be answered through `SessionHandle.answer`. */
  isAnswerable: boolean;
  /** Function that asks the user directly, for example in a terminal. `undefined` if the host cannot ask directly. */
  prompter?: UserPrompter | undefined;
  /** Interrupts of the run, which reject pending questions. */
  interrupts: InterruptSource;
  /** Aborts when the run is cancelled. Pending questions are then rejected. */
  signal: AbortSignal;
  /** Called when the run starts or stops waiting for an answer. */
  onWaiting: (isWaiting: boolean) => Promise<void>;
}

/** Questions that an engine asks while it runs. */
export interface UserQuestions extends UserPrompter {
  /** Answers a pending question. Throws `prompt.unknown`. */
  answer(promptId: string, reply: UserReply): void;
  /** Stops accepting answers, because the run has ended. */
  close(): void;
}

/** Creates the registry of an engine's pending questions. See engine: UserPrompter. */
export function createUserQuestions(options: UserQuestionsOptions): UserQuestions {
  const waiting = new Map<string, (reply: UserReply) => void>();
  // Publishes questions one at a time. The run's status becomes `awaiting_input` before a question is published.
  let announced: Promise<void> = Promise.resolve();

  function announce(id: string, prompt: UserPrompt): Promise<void> {
    announced = announced
      .catch(() => undefined)
      .then(async () => {
        await options.onWaiting(true);
        await options.events.report("user_prompted", toPayload(id, prompt));
      });
    return announced;
  }

  async function ask(prompt: UserPrompt, signal: AbortSignal): Promise<UserReply> {
    // `AbortSignal.any` is called first because it throws for an invalid signal.
    // A failed call must leave no pending question.
    const stopping = AbortSignal.any([options.signal, signal]);
    const id = prompt.id === undefined || waiting.has(prompt.id) ? options.createId() : prompt.id;
    const reply = new Promise<UserReply>((resolve) => waiting.set(id, resolve));
    const done = new AbortController();
    try {
      await announce(id, prompt);
      const answered = await Promise.race([
        reply,
        askPrompter({ ...prompt, id }, { prompter: options.prompter, signal: done.signal }),
        rejectOnInterrupt(options.interrupts, done.signal),
        rejectOnAbort(stopping, done.signal),
      ]);
      waiting.delete(id);
      await options.events.report("user_replied", { prompt_id: id, parts: answered.parts });
      return answered;
    } finally {
      waiting.delete(id);
      done.abort();
      if (waiting.size === 0) await options.onWaiting(false);
    }
  }
  return {
    askUser: (prompt, { signal } = {}) => {
      if (options.prompter === undefined && !options.isAnswerable) {
        return Promise.reject(new EngineError("prompt.unavailable"));
      }
      // No event is published if the call was aborted before the question could be asked.
      if (signal?.aborted) return Promise.reject(signal.reason);
      return ask(prompt, signal ?? options.signal);
    },
    answer: (promptId, reply) => {
      const resolve = waiting.get(promptId);
      if (resolve === undefined) throw new EngineError("prompt.unknown", { promptId });
      resolve(reply);
    },
    close: () => waiting.clear(),
  };
}

function toPayload(id: string, { parts, schema, metadata }: UserPrompt): EventPayloads["user_prompted"] {
  return {
    ...{ prompt_id: id, parts },
    ...(schema === undefined ? {} : { schema }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function askPrompter(
  prompt: UserPrompt,
  target: { prompter: UserPrompter | undefined; signal: AbortSignal },
): Promise<UserReply> {
  return target.prompter?.askUser(prompt, { signal: target.signal }) ?? never();
}

async function rejectOnInterrupt(source: InterruptSource, done: AbortSignal): Promise<never> {
  const interrupt: Interrupt | undefined = await source.receive(done);
  return interrupt === undefined ? never() : Promise.reject(interruptedError(interrupt));
}

function rejectOnAbort(signal: AbortSignal, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true, signal: done });
  });
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}
