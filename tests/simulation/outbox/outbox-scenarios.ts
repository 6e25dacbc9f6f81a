import fc from 'fast-check';
import type { SubmissionKind } from '#server/outbox/outbox.ts';
import { type Timed, timed } from '../timed.ts';

/**
 * The outcome of an attempt. `lost`: the upstream accepted it, but its response was lost; `unsent`: it was not sent;
 * `late`: a status after which a retry is due.
 */
export type AttemptEnd = 'accepted' | 'not found' | 'refused' | 'late' | 'lost' | 'unsent';

/** What a reader, the upstream, an operator, the disk or the process does. */
export type OutboxStep =
  | { do: 'submit'; kind: SubmissionKind; reader: number }
  | { do: 'view' }
  /** `attempt`: index into the attempts in flight, modulo their count. */
  | { do: 'end'; attempt: number; how: AttemptEnd }
  | { do: 'pass'; ms: number }
  /** `item`: index into the listed messages, modulo their count. */
  | { do: 'retry'; item: number }
  /** While the disk does not work, it rejects every write. It works again after a restart. */
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

/** Generates scenarios of the outbox. */
export const outboxScenarios: fc.Arbitrary<Timed<OutboxStep>[]> = fc.array(timed(step), {
  maxLength: 40,
  size: 'max',
});
