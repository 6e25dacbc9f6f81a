import type { z } from 'zod';
import type * as instances from './instances-schemas.ts';
import type * as schemas from './ops-schemas.ts';
import type * as simulation from './simulation-schemas.ts';

/** Requests and responses of the operators' listener, inferred from the schemas that it is documented by. */

export type ChangedPolicy = z.infer<typeof schemas.ChangedPolicyResponse>;
/** What a TTL would have done to the recorded reads; null where there were none. */
export type Candidate = z.infer<typeof simulation.SimulateResponse>['current'];
export type Simulation = z.infer<typeof simulation.SimulateResponse>;
export type Advice = z.infer<typeof simulation.AdviceResponse>;
export type Purge = z.input<typeof schemas.PurgeBody>;
export type PurgePreview = z.infer<typeof schemas.PurgePreview>;
export type Policies = z.infer<typeof schemas.PoliciesResponse>;
export type Purged = z.infer<typeof schemas.PurgeResponse>;
export type InstanceList = z.infer<typeof instances.InstancesResponse>;
export type Instance = InstanceList['instances'][number];
export type ModeChange = z.input<typeof schemas.ModeBody>;
export type Explanation = z.infer<typeof schemas.ExplainResponse>;
export type ExplainedDependency = Explanation['dependencies'][number];
export type Outbox = z.infer<typeof schemas.OutboxResponse>;
export type OutboxMessage = Outbox['messages'][number];
export type Change = schemas.Change;
export type Session = z.infer<typeof schemas.SessionResponse>;
