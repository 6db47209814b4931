/** The place of a call among those of its answer. */
export interface CallPosition {
  /** Resolves when every call in front of it is decided. */
  readonly turn: () => Promise<void>;
  /** Says that it is decided: it runs, or has come to its end. */
  readonly decide: () => void;
}

function createPosition(before: readonly Promise<void>[]): { place: CallPosition; decided: Promise<void> } {
  let decide = (): void => {};
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const turn = async (): Promise<void> => void (await Promise.all(before));
  return { place: { turn, decide: () => decide() }, decided };
}

/** The places of calls that run side by side: what is asked about them is asked in their order. */
export function callPositions(count: number): readonly CallPosition[] {
  const places: CallPosition[] = [];
  const before: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const { place, decided } = createPosition([...before]);
    places.push(place);
    before.push(decided);
  }
  return places;
}
