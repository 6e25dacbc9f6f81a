import { useMutation } from '@tanstack/react-query';
import { ops, useChanges, useInstances } from '#client/dashboard/api/ops-api.ts';
import { ChangeButton } from '#client/dashboard/elements/confirm.tsx';
import { age, dayAndTime, modeLabel, timeAfter } from '#client/dashboard/elements/format.ts';
import { type Column, Failure, Table } from '#client/dashboard/elements/table.tsx';
import type { Change, Instance } from '#shared/models/ops/ops-api-types.ts';
import { describeChange } from './describe-change.ts';

/** Who changed what, from, to and until, with the way back; and what each instance has. */
export function ChangesView() {
  const { changes, isKnown, error } = useChanges();
  const instances = useInstances();
  return (
    <>
      <Failure error={error ?? instances.error} />
      {isKnown && (
        <Table
          label="Table of changes"
          caption={`The last 200 changes ${instances.data?.redis ? 'of all instances' : 'since the start'}`}
          columns={CHANGE_COLUMNS}
          rows={changes}
          keyOf={({ id }) => id}
          empty="Nothing was changed."
        />
      )}
      {instances.data?.redis && (
        <Table
          label="Table of instances"
          caption={REDIS[instances.data.redis]}
          columns={INSTANCE_COLUMNS}
          rows={instances.data.instances}
          keyOf={({ id }) => id}
        />
      )}
    </>
  );
}

const CHANGE_COLUMNS: Column<Change>[] = [
  { label: 'when', of: ({ at }) => <time dateTime={at}>{dayAndTime(new Date(at))}</time> },
  { label: 'who', of: ({ who }) => who },
  { label: 'from', of: ({ from }) => from },
  { label: 'what', of: ({ what }) => what },
  { label: 'change', of: describeChange, classOf: () => 'words' },
  { label: 'until', of: untilOf },
  { label: 'take it back', of: ({ undo }) => undo && <UndoButton undo={undo} /> },
];

/** Sets again what was before, at once: that is a change too, which is taken back the same way. */
function UndoButton({ undo }: { undo: NonNullable<Change['undo']> }) {
  const { mutate, isSuccess, error } = useMutation({ mutationFn: () => ops.undo(undo) });
  return (
    <>
      <ChangeButton title={`Sets ${JSON.stringify(undo.body)} again`} onClick={() => mutate()}>
        Undo
      </ChangeButton>
      <span role="status" className={error ? 'bad' : ''}>
        {isSuccess && ' It is as before.'}
        {error && ` Not done: ${error.message}`}
      </span>
    </>
  );
}

/** Returns when a mode ends by itself; a dash for what does not. */
function untilOf({ at, after }: Change): string {
  const seconds =
    typeof after === 'object' && after !== null && 'endsInSeconds' in after ? after.endsInSeconds : null;
  return typeof seconds === 'number' ? timeAfter(new Date(at), seconds) : '–';
}

const REDIS = {
  up: 'All instances on the same Redis',
  down: 'Redis is down: the others are not known',
};

const INSTANCE_COLUMNS: Column<Instance>[] = [
  { label: 'instance', of: ({ name, isOwn }) => name + (isOwn ? ' (this one)' : '') },
  {
    label: 'state',
    of: ({ state, secondsAgo }) => state + (state === 'silent' ? ` for ${age(secondsAgo)}` : ''),
    classOf: ({ state }) => (state === 'silent' ? 'bad' : ''),
  },
  { label: 'build', of: ({ version, revision }) => `${version} ${revision}` },
  { label: 'mode', of: ({ mode }) => modeLabel(mode) },
  { label: 'changed policies', of: (instance) => policiesOf(instance) || 'none', classOf: () => 'words' },
];

function policiesOf({ policies }: Instance): string {
  return Object.entries(policies)
    .map(([resource, policy]) => {
      const ages = Object.entries(policy).map(([name, seconds]) => `${name} ${age(seconds ?? null)}`);
      return `${resource}: ${ages.join(' ')}`;
    })
    .join('; ');
}
