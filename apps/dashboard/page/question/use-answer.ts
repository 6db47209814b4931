import { useState } from "preact/hooks";
import { problemText } from "../session/problem-text.ts";
import { useSession } from "../session/session.ts";

/** Function that answers a question, with the state of the request. */
export interface Answering {
  readonly answer: (text: string) => void;
  /** True from the request until the question disappears or the request fails. */
  readonly isBusy: boolean;
  readonly problem: string;
}

/** Answers a question of a run. `onAnswered` is called when the server has accepted the answer. */
export function useAnswer(runId: string, promptId: string, onAnswered?: () => void): Answering {
  const { client } = useSession().connection;
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const answer = (text: string): void => {
    if (isBusy) return;
    setBusy(true);
    setProblem("");
    client.runs.answer(runId, { promptId, text }).then(onAnswered, (error: unknown) => {
      setBusy(false);
      setProblem(problemText(error));
    });
  };
  return { answer, isBusy, problem };
}
