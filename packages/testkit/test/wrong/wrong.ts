/** An implementation with one fault. */
export interface Wrong<Factory> {
  /** What it does wrong. */
  readonly fault: string;
  /** Ids of the cases that must detect the fault. */
  readonly noticedBy: readonly string[];
  /** Makes it. */
  readonly factory: Factory;
}

/** The target with some members replaced. */
export function altered<T extends object>(target: T, changes: Partial<T>): T {
  return new Proxy(target, {
    get(original, name) {
      if (Object.hasOwn(changes, name)) return Reflect.get(changes, name);
      const member: unknown = Reflect.get(original, name, original);
      return typeof member === "function" ? member.bind(original) : member;
    },
    has: (original, name) => Object.hasOwn(changes, name) || name in original,
  });
}
