import type { Outbox } from '#server/outbox/outbox.ts';
import type { PublicIp } from './public-ip.ts';
import { isCountableView, type PageRequest } from './view-filter.ts';

/** An event's page, and its data. */
const EVENT = /^(?:\/api)?\/events\/./;

/** Counts views of articles. Never delays a response, never throws. */
export interface ViewCounter {
  count(view: { postId: string; ip: string }): void;
  /** Called with each request for a page or its data. The specification asks for the public IP before an event. */
  beforePage(target: string, ip: string): void;
  /** Called after the response: counts a view of the post on the page, if there is one and the filter lets it pass. */
  afterPage(postId: string | null, request: PageRequest, ip: string): void;
  /** Resolves when the outbox has every view counted so far. */
  flush(): Promise<void>;
}

export interface ViewCounterDeps {
  publicIp: PublicIp;
  outbox: Pick<Outbox, 'countView' | 'hasRoomForView'>;
  /** False behind a CDN, which sends most documents itself: there the page reports its own view. Default: true. */
  countsDocuments?: boolean;
}

/** Creates the counter, which adds the public IP to each view and passes it to the outbox. */
export function createViewCounter({
  publicIp,
  outbox,
  countsDocuments = true,
}: ViewCounterDeps): ViewCounter {
  const pending = new Set<Promise<void>>();

  function count({ postId, ip }: { postId: string; ip: string }): void {
    // In a flood no lookup is made for a view that the outbox drops.
    const found = outbox.hasRoomForView() ? publicIp.resolve(ip) : ip;
    if (!(found instanceof Promise)) {
      outbox.countView({ postId, address: found });
      return;
    }
    const counted = found
      .then((address) => outbox.countView({ postId, address }))
      .finally(() => pending.delete(counted));
    pending.add(counted);
  }

  return {
    count,
    beforePage(target, ip) {
      if (EVENT.test(target)) publicIp.prepare(ip);
    },
    afterPage(postId, request, ip) {
      if (countsDocuments && postId !== null && isCountableView(request)) count({ postId, ip });
    },
    async flush() {
      await Promise.allSettled(pending);
    },
  };
}
