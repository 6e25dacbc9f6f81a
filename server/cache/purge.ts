/** What a purge removes. `soft`: entries become stale instead, and are served while they are refreshed. */
export interface Purge {
  tags?: string[];
  keys?: string[];
  all?: boolean;
  soft?: boolean;
}
