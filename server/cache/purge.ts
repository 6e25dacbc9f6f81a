/** What a purge takes. `soft`: the old copy is served once more, while it is refreshed. */
export interface Purge {
  tags?: string[];
  keys?: string[];
  all?: boolean;
  soft?: boolean;
}
