/** A value and its age. */
export interface Loaded<T> {
  value: T;
  ageMs: number;
}

/** One load that instances may share. */
export interface SecondLevelLoad<T> {
  key: string;
  /** Asks the upstream. */
  load: () => Promise<T>;
  /** What the value can be purged by. */
  tagsOf: (value: T) => string[];
  /** The upstream is asked whatever others know. */
  bypass: boolean;
  /** How old another instance's value may be to be taken for a new one. */
  freshMs: number;
  /** How long a value is of any use. */
  keptMs: number;
  /** Of the copy that stands here: only a younger one is news. Null where none does. */
  ageMs: number | null;
}

/** Where several instances share what they load. */
export interface SecondLevel {
  /** Another instance's value of a key, however old; null where there is none. Never rejects. */
  find?(key: string): Promise<Loaded<unknown> | null>;
  /** A value that is fresh: another instance's, or what `load` resolves with. Rejects with what `load` rejects with. */
  load<T>(request: SecondLevelLoad<T>): Promise<Loaded<T>>;
}

/** One instance alone. */
export const NO_SECOND_LEVEL: SecondLevel = {
  load: async ({ load }) => ({ value: await load(), ageMs: 0 }),
};
