import fc from 'fast-check';
import type { SubmissionKind } from '#server/outbox/outbox.ts';
import { type Timed, timed } from './timed.ts';

/**
 * How an attempt ends. `lost`: the upstream took it and its answer did not come; `unsent`: it never left; `late`: a
 * status that says "later".
 */
export type AttemptEnd = 'accepted' | 'not found' | 'refused' | 'late' | 'lost' | 'unsent';

/** What happens in the world of the outbox. */
export type OutboxStep =
  | { do: 'submit'; kind: SubmissionKind; reader: number }
  | { do: 'view' }
  /** `attempt`: which of those under way, counted around. */
  | { do: 'end'; attempt: number; how: AttemptEnd }
  | { do: 'pass'; ms: number }
  /** `item`: which of those listed, counted around. */
  | { do: 'retry'; item: number }
  /** The disk refuses every write until it is said to work again, or the process ends. */
  | { do: 'disk'; works: boolean }
  | { do: 'restart' }
  | { do: 'crash' };

const kind = fc.constantFrom<SubmissionKind>('subscription', 'contact', 'contact', 'opt-out');
const how = fc.constantFrom<AttemptEnd>(
  'accepted',
  'accepted',
  'not found',
  'refused',
  'late',
  'late',
  'late',
  'lost',
  'unsent',
);

const step: fc.Arbitrary<OutboxStep> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('submit'), kind, reader: fc.nat(11) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('view') }) },
  { weight: 9, arbitrary: fc.record({ do: fc.constant('end'), attempt: fc.nat(4), how }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass'),
      ms: fc.constantFrom(1, 100, 260, 1_000, 1_000, 2_000, 5_000, 60_000, 3_600_000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('retry'), item: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('disk'), works: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash') }) },
);

/** Stories of an outbox. */
export const outboxScenarios: fc.Arbitrary<Timed<OutboxStep>[]> = fc.array(timed(step), {
  maxLength: 40,
  size: 'max',
});
