/** What a purge removes. `soft`: entries become stale instead, and are served while they are refreshed. */
export interface Purge {
  tags?: string[];
  keys?: string[];
  all?: boolean;
  soft?: boolean;
}

/** A purge that has happened. */
export interface PurgeEvent extends Purge {
  /** Whether a key's value may be one that was purged: of what is not cached the tags are not known. */
  mayBePurged: (key: string) => boolean;
}
