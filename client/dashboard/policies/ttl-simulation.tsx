import { useEffect, useState } from 'react';
import type { OpsApi } from '#client/dashboard/api/ops-api.ts';
import type { Candidate, Simulation } from '#client/dashboard/api/ops-responses.ts';
import { Explained } from '#client/dashboard/elements/explained.tsx';
import { age, count, percent } from '#client/dashboard/elements/format.ts';
import type { CachePolicy } from '#shared/models/metrics.ts';

/** Candidates, in seconds. */
const TTLS = [10, 30, 60, 120, 300, 600, 1_800, 3_600];

/** Shows what several TTLs would have done to the recorded reads. Choosing one only fills in the form. */
export function TtlSimulation({
  api,
  name,
  policy,
  onTry,
}: {
  api: OpsApi;
  name: string;
  /** In force. */
  policy: CachePolicy;
  onTry: (ttl: number) => void;
}) {
  const { ttl, swr } = policy;
  const [simulation, setSimulation] = useState<Simulation | null>(null);
  const [failure, setFailure] = useState('');

  useEffect(() => {
    let mounted = true;
    const ttls = [...new Set([...TTLS, ttl])].sort((one, other) => one - other);
    api.simulate(name, ttls, swr).then(
      (given) => mounted && setSimulation(given),
      (error: unknown) => mounted && setFailure(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      mounted = false;
    };
  }, [api, name, ttl, swr]);

  return (
    <section aria-labelledby="simulation-title">
      <h3 id="simulation-title">What other TTLs would do</h3>
      {failure !== '' && <p className="bad">{failure}</p>}
      {simulation && <SimulationTable simulation={simulation} ttl={ttl} onTry={onTry} />}
    </section>
  );
}

function SimulationTable({
  simulation: { requests, observedSeconds, candidates },
  ttl,
  onTry,
}: {
  simulation: Simulation;
  ttl: number;
  onTry: (ttl: number) => void;
}) {
  if (requests === 0) return <p className="about">There are no recorded reads yet.</p>;
  return (
    <>
      <p className="about">
        Simulated from {count(requests)} reads of the last {age(Math.round(observedSeconds))}; longer TTLs are
        untested. Choosing one fills in the form; nothing changes yet.
      </p>
      <div className="scroll">
        <table className="numbers" aria-labelledby="simulation-title">
          <thead>
            <tr>
              <th scope="col">TTL</th>
              <th scope="col">
                <Explained name="simulatedHitRatio">Hit ratio</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedFresh">Fresh</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedUpstream">Upstream requests/min</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedAge">Mean age</Explained>
              </th>
              <th scope="col">
                <Explained name="simulatedOutdated">Outdated</Explained>
              </th>
              <th scope="col">Action</th>
            </tr>
          </thead>
          <tbody>
            {candidates.map((candidate) => (
              <CandidateRow
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

function CandidateRow({
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
      <td data-explains="simulatedHitRatio">{percent(hitRatio)}</td>
      <td data-explains="simulatedFresh">{percent(freshRatio)}</td>
      <td data-explains="simulatedUpstream">{count(upstreamCallsPerMinute)}</td>
      <td data-explains="simulatedAge">
        {age(meanStalenessSeconds === null ? null : Math.round(meanStalenessSeconds * 10) / 10)}
      </td>
      <td data-explains="simulatedOutdated">{percent(outdatedRatio)}</td>
      <td>
        {inForce ? (
          'in force'
        ) : (
          <button type="button" aria-label={`Fill in a TTL of ${age(ttl)}`} onClick={() => onTry(ttl)}>
            Fill in
          </button>
        )}
      </td>
    </tr>
  );
}
