/** Position of a tool call among the calls of the same response. */
export interface CallPosition {
  /** Resolves when all earlier calls of the response are decided. */
  readonly turn: () => Promise<void>;
  /** Marks the call as decided: the call is allowed to run, or has ended without running. */
  readonly decide: () => void;
}

function createPosition(before: readonly Promise<void>[]): { position: CallPosition; decided: Promise<void> } {
  let decide = (): void => {};
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const turn = async (): Promise<void> => void (await Promise.all(before));
  return { position: { turn, decide: () => decide() }, decided };
}

/**
 * Creates one position for each of several concurrent calls. Approval questions are asked in the order of the
 * positions.
 */
export function callPositions(count: number): readonly CallPosition[] {
  const positions: CallPosition[] = [];
  const before: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const { position, decided } = createPosition([...before]);
    positions.push(position);
    before.push(decided);
  }
  return positions;
}
