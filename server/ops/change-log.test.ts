import { expect, it } from 'vitest';
import { fakeClock } from '../../tests/fixtures/clocks.ts';
import { createChangeLog, createRecentChanges } from './change-log.ts';

it('lists changes of the same millisecond newest first', () => {
  const changes = createRecentChanges();
  const log = createChangeLog({
    changes,
    logger: { warn: () => undefined },
    tokenNameOf: () => 'OPS_TOKEN',
    clock: fakeClock({ now: 1_000 }),
  });
  const request = { ip: '127.0.0.1', id: 'r', headers: {} };
  const made = Array.from({ length: 20 }, (_, nth) => `change ${nth}`);
  for (const what of made) log.record(request, { what });
  expect(changes.list().map(({ what }) => what)).toEqual(made.toReversed());
});
