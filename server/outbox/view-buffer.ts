import { randomUUID } from 'node:crypto';
import type { NewMessage } from './message.ts';

/** Views between two commits at most; more than that are no readers. */
const MAX_BUFFERED = 10_000;

/** Views that are not kept yet. There may be thousands a second: a message is made of one when it is kept. */
export function createViewBuffer() {
  const keys = randomUUID();
  let views: { postId: string; address: string; createdAt: number }[] = [];
  let taken = 0;

  return {
    hasRoom: () => views.length < MAX_BUFFERED,
    /** `createdAt`: wall-clock milliseconds. */
    add: (view: { postId: string; address: string; createdAt: number }) => void views.push(view),
    size: () => views.length,
    /** Takes the first `most` out. */
    take(most: number): NewMessage[] {
      const some = views.slice(0, most);
      views = views.slice(most);
      return some.map(({ postId, address, createdAt }) => ({
        kind: 'view',
        payload: JSON.stringify({ postId, ip_addr: address }),
        idempotencyKey: `${keys}-${++taken}`,
        createdAt,
      }));
    },
  };
}
