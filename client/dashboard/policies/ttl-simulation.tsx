import { useEffect, useState } from 'react';
import type { OpsApi } from '#client/dashboard/api/ops-api.ts';
import type { Candidate, Simulation } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, count, percent } from '#client/dashboard/elements/format.ts';
import type { Ages } from '#shared/models/metrics.ts';

/** Ttls that are worth a look beside any other: from ten seconds to an hour. */
const LADDER = [10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** What each of a ladder of ttls would have done to what readers did lately. Choosing one only fills in the form. */
export function TtlSimulation({
  api,
  name,
  policy,
  onTry,
}: {
  api: OpsApi;
  name: string;
  /** In force. */
  policy: Ages;
  onTry: (ttl: number) => void;
}) {
  const { ttl, swr } = policy;
  const [simulation, setSimulation] = useState<Simulation | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    let wanted = true;
    const ladder = [...new Set([...LADDER, ttl])].sort((one, other) => one - other);
    api.simulate(name, ladder, swr).then(
      (given) => wanted && setSimulation(given),
      (error: unknown) => wanted && setFailure(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      wanted = false;
    };
  }, [api, name, ttl, swr]);

  return (
    <section aria-labelledby="outlook-title">
      <h3 id="outlook-title">What other ttls would do</h3>
      {failure !== '' && <p className="bad">{failure}</p>}
      {simulation && <Outlook simulation={simulation} ttl={ttl} onTry={onTry} />}
    </section>
  );
}

function Outlook({
  simulation: { requests, observedSeconds, candidates },
  ttl,
  onTry,
}: {
  simulation: Simulation;
  ttl: number;
  onTry: (ttl: number) => void;
}) {
  if (requests === 0)
    return <p className="about">Nobody has read it yet: come back when there is something to reckon with.</p>;
  return (
    <>
      <p className="about">
        Reckoned from {count(requests)} reads of the last {age(Math.round(observedSeconds))}. Longer ttls than
        that have not been put to the test. Choosing one fills in the form; nothing changes yet.
      </p>
      <div className="scroll">
        <table className="numbers" aria-labelledby="outlook-title">
          <thead>
            <tr>
              <th scope="col">ttl</th>
              <th scope="col">
                <Explained name="simulatedMemory">from memory</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedFresh">fresh</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedCalls">calls / min</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedAge">mean age</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedOutdated">outdated</Explained>
              </th>
              <th scope="col">step</th>
            </tr>
          </thead>
          <tbody>
            {candidates.map((candidate) => (
              <OutlookRow
                key={candidate.ttl}
                candidate={candidate}
                inForce={candidate.ttl === ttl}
                onTry={onTry}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function OutlookRow({
  candidate,
  inForce,
  onTry,
}: {
  candidate: Candidate;
  inForce: boolean;
  onTry: (ttl: number) => void;
}) {
  const { ttl, hitRatio, freshRatio, upstreamCallsPerMinute, meanStalenessSeconds, outdatedRatio } =
    candidate;
  return (
    <tr className={inForce ? 'in-force' : ''}>
      <th scope="row">{age(ttl)}</th>
      <td data-explains="simulatedMemory">{percent(hitRatio)}</td>
      <td data-explains="simulatedFresh">{percent(freshRatio)}</td>
      <td data-explains="simulatedCalls">{count(upstreamCallsPerMinute)}</td>
      <td data-explains="simulatedAge">
        {age(meanStalenessSeconds === null ? null : Math.round(meanStalenessSeconds * 10) / 10)}
      </td>
      <td data-explains="simulatedOutdated">{percent(outdatedRatio)}</td>
      <td>
        {inForce ? (
          'in force'
        ) : (
          <button type="button" aria-label={`Fill in a ttl of ${age(ttl)}`} onClick={() => onTry(ttl)}>
            Fill in
          </button>
        )}
      </td>
    </tr>
  );
}
