/** A loaded value and its age. */
export interface Loaded<T> {
  value: T;
  ageMs: number;
}

/** A load that instances share. */
export interface SecondLevelLoad<T> {
  key: string;
  /** Loads from the upstream. */
  load: () => Promise<T>;
  /** All tags by which the value can be purged. */
  tagsOf: (value: T) => string[];
  /** Loads from the upstream even if another instance has a fresh value. */
  bypass: boolean;
  /** Maximum age of another instance's value, in milliseconds. */
  freshMs: number;
  /** How long the value can be served at most, in milliseconds. */
  keptMs: number;
  /** Age of the value cached here, in milliseconds: only a younger one is of use. Null where there is none. */
  ageMs: number | null;
}

/** The second-level cache (L2) that several instances share. */
export interface SecondLevel {
  /** Resolves with another instance's value of any age, or null. Never rejects. */
  find?(key: string): Promise<Loaded<unknown> | null>;
  /** Resolves with a fresh value: another instance's, or what `load` resolves with. Rejects with what `load` rejects with. */
  load<T>(request: SecondLevelLoad<T>): Promise<Loaded<T>>;
}

/** For a single instance: every load goes to the upstream. */
export const NO_SECOND_LEVEL: SecondLevel = {
  load: async ({ load }) => ({ value: await load(), ageMs: 0 }),
};
