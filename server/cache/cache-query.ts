import type { Resource } from './resources.ts';

/** The upstream's word that something does not exist. It drops an old copy; any other failure keeps it. */
export class Absent extends Error {
  constructor() {
    super('The upstream says that this does not exist.');
    this.name = 'Absent';
  }
}

/** One answer that can be read through the cache. */
export interface CacheQuery<T> {
  resource: Resource;
  key: string;
  /** What it can be purged by, besides its resource's name. */
  tags: (value: T) => string[];
  /** Asks the upstream. `cold`: a reader waits for it and no copy can stand in. */
  load: (context: { cold: boolean }) => Promise<T>;
}
