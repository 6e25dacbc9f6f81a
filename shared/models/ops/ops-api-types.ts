import type { z } from 'zod';
import type * as instances from './instances-schemas.ts';
import type * as schemas from './ops-schemas.ts';
import type * as simulation from './simulation-schemas.ts';

/** Requests and responses of the operators' listener, inferred from the schemas that its server holds them against. */

export type ChangedPolicy = z.infer<typeof schemas.ChangedPolicyResponse>;
/** What a TTL would have done to the recorded reads; null where there were none. */
export type Candidate = z.infer<typeof simulation.SimulateResponse>['current'];
export type Goal = { upstreamCallsPerMinute: number } | { staleSeconds: number };
export type Advice = z.infer<typeof simulation.AdviceResponse>;
export type Comparison = z.infer<typeof simulation.CompareResponse>;
export type Curve = z.infer<typeof simulation.CurveResponse>;
export type CurvePoint = Curve['points'][number];
export type Purge = z.input<typeof schemas.PurgeBody>;
export type Purged = z.infer<typeof schemas.PurgeResponse>;
export type ChangedMode = z.infer<typeof schemas.ChangedModeResponse>;
export type InstanceList = z.infer<typeof instances.InstancesResponse>;
export type Instance = InstanceList['instances'][number];
export type InstanceReach = instances.InstanceReach;
export type ModeChange = z.input<typeof schemas.ModeBody>;
export type Explanation = z.infer<typeof schemas.ExplainResponse>;
export type ExplainedDependency = Explanation['dependencies'][number];
export type WebVitalsSummary = z.infer<typeof schemas.WebVitalsResponse>;
/** The 75th percentiles of one page; null where nothing was measured. */
export type PageWebVitals = WebVitalsSummary['pages'][number];
export type Outbox = z.infer<typeof schemas.OutboxResponse>;
export type OutboxMessage = Outbox['messages'][number];
export type AuditEntry = schemas.AuditEntry;
export type Session = z.infer<typeof schemas.SessionResponse>;
export type History = z.infer<typeof schemas.HistoryResponse>;
