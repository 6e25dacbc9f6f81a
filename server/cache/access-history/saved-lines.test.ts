import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { RESOURCES } from '#shared/models/resources.ts';
import { createAccessHistory } from './access-history.ts';

/** Counts turns of the event loop until `work` is done. */
async function turnsDuring(work: Promise<void>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await nextTurn();
    turns++;
  }
  await done;
  return turns;
}

it('a long history is restored in many turns of the event loop', async () => {
  const saved = createAccessHistory({ clock: () => 0 });
  for (let key = 0; key < 20_000; key++) saved.read('article', `article/${key}`, 1, null);
  const lines = [...saved.lines()];
  const restored = createAccessHistory({ clock: () => 0 });
  const turns = await turnsDuring(restored.restore(lines));
  expect(restored.recorded('article').reads).toBe(20_000);
  // One for each resource, and one for each 64 KiB of text.
  expect(turns).toBeGreaterThan(RESOURCES.length + lines.join('').length / 70_000);
});
