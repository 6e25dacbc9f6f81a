import { age, count, percent } from '#client/dashboard/elements/format.ts';
import { type Column, Table } from '#client/dashboard/elements/table.tsx';
import { Plot } from '#client/dashboard/overview/plot.tsx';
import type { Candidate, Simulation } from '#shared/models/ops/ops-api-types.ts';
import type { Measured } from './measured.ts';

interface SimulationResultsProps {
  curve: Simulation;
  /** Under whatever TTL was in force. */
  measured: Measured | null;
  onChoose: (ttl: number) => void;
}

/** A row of the table: what was measured, or what a TTL would do. */
interface Row extends Pick<Candidate, 'hitRatio' | 'meanStalenessSeconds' | 'outdatedRatio'> {
  name: string;
  ttl: number | null;
  callsPerMinute: number | null;
}

/** Plots upstream calls a minute over the TTL, and lists what was measured above what each TTL would do. */
export function SimulationResults({ curve, measured, onChoose }: SimulationResultsProps) {
  const { current, candidates, observedSeconds, requests, sampleRate } = curve;
  // Longer TTLs are not tested by the record.
  const tested = candidates.filter(({ ttl }) => ttl <= observedSeconds && ttl !== current.ttl);
  const shown = [...tested, current].sort((one, other) => one.ttl - other.ttl);
  const rows: Row[] = [
    {
      name: 'measured',
      ttl: null,
      hitRatio: measured?.hitRatio ?? null,
      meanStalenessSeconds: measured?.meanAgeSeconds ?? null,
      outdatedRatio: null,
      callsPerMinute: measured?.callsPerMinute ?? null,
    },
    { ...rowOf(current), name: 'simulated, in force' },
    ...tested.map(rowOf),
  ];
  return (
    <>
      <Plot
        title="Upstream calls/min by TTL"
        x={shown.map(({ ttl }) => Math.log(Math.max(1, ttl)))}
        ends={[age(shown[0]?.ttl ?? null), age(shown.at(-1)?.ttl ?? null)]}
        series={[
          {
            label: 'simulated',
            metric: 'GET /cache/simulate',
            tone: 'cool',
            values: shown.map(({ upstreamCallsPerMinute }) => upstreamCallsPerMinute),
          },
        ]}
        format={count}
      />
      <Table
        label="Table of candidates"
        caption={`Simulated on ${count(requests)} reads of ${age(observedSeconds)}, ${percent(sampleRate)} of keys. Longer TTLs are untested.`}
        columns={columnsOf(current, onChoose)}
        rows={rows}
        keyOf={({ name }) => name}
        isChosen={({ ttl }) => ttl === current.ttl}
      />
    </>
  );
}

function rowOf({ upstreamCallsPerMinute, ...candidate }: Candidate): Row {
  return { ...candidate, name: age(candidate.ttl), callsPerMinute: upstreamCallsPerMinute };
}

function columnsOf(inForce: Candidate, onChoose: (ttl: number) => void): Column<Row>[] {
  const callsInForce = inForce.upstreamCallsPerMinute;
  return [
    { label: 'TTL', of: ({ name }) => name },
    { label: 'hit ratio', of: ({ hitRatio }) => percent(hitRatio) },
    { label: 'mean age', of: ({ meanStalenessSeconds }) => age(meanStalenessSeconds) },
    { label: 'outdated', of: ({ outdatedRatio }) => percent(outdatedRatio) },
    { label: 'calls/min', of: ({ callsPerMinute }) => count(callsPerMinute) },
    {
      label: 'saved/min',
      of: ({ ttl, callsPerMinute: calls }) =>
        count(ttl === null || callsInForce === null || calls === null ? null : callsInForce - calls),
    },
    {
      label: 'action',
      of: ({ ttl }) =>
        ttl !== null &&
        ttl !== inForce.ttl && (
          <button type="button" aria-label={`Fill in a TTL of ${age(ttl)}`} onClick={() => onChoose(ttl)}>
            Fill in
          </button>
        ),
    },
  ];
}
