/** A loaded value and its age. */
export interface Loaded<T> {
  value: T;
  ageMs: number;
}

/** The second-level cache (L2) that several instances share. Nothing of it rejects. */
export interface SecondLevel {
  /** Resolves with the value that an instance has loaded, of any age, or null. Readers wait for it. */
  get(key: string): Promise<Loaded<unknown> | null>;
  /** Stores a value that was just loaded, for `keptMs`. Nobody waits for it. `stamp`: of before the load. */
  set(key: string, value: unknown, keptMs: number, stamp: string | null): void;
  /** Returns what a load that begins now is to be stored with: a purge meanwhile makes its value one of before. */
  stamp(): string | null;
  /** Deletes a value that the upstream does not have any more. */
  delete(key: string): void;
}
