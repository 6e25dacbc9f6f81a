import type { Outbox } from '#server/outbox/outbox.ts';
import type { PublicIp } from './public-ip.ts';
import { isCountableView, type PageRequest } from './view-filter.ts';

/** An event's page, and its data. */
const EVENT = /^(?:\/api)?\/events\/./;

export type ViewCounter = ReturnType<typeof createViewCounter>;

export interface ViewCounterDeps {
  publicIp: PublicIp;
  outbox: Pick<Outbox, 'countView'>;
  /** False behind a CDN, which sends most documents itself: there the page reports its own view. */
  countsDocuments: boolean;
}

/** Creates the counter of views of articles, which adds the public IP to each. Never delays a response, never throws. */
export function createViewCounter({ publicIp, outbox, countsDocuments }: ViewCounterDeps) {
  const pending = new Set<Promise<void>>();

  function count({ postId, ip }: { postId: string; ip: string }): void {
    const found = publicIp.resolve(ip);
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
    /** Called with each request for a page or its data. The specification asks for the public IP before an event. */
    beforePage(target: string, ip: string): void {
      if (EVENT.test(target)) publicIp.prepare(ip);
    },
    /** Called after the response: counts a view of the post on the page, if there is one and the filter lets it pass. */
    afterPage(postId: string | null, request: PageRequest, ip: string): void {
      if (countsDocuments && postId !== null && isCountableView(request)) count({ postId, ip });
    },
    /** Resolves when the outbox has every view counted so far. */
    async flush(): Promise<void> {
      await Promise.allSettled(pending);
    },
  };
}
